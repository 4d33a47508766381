from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='purge',
            name='listed',
            field=models.JSONField(default=list, verbose_name='whom it concerns'),
        ),
    ]
