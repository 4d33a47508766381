from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("players", "0004_claims_offered"),
    ]

    operations = [
        migrations.AddField(
            model_name="proofcode",
            name="for_person",
            field=models.BooleanField(default=False, verbose_name="a person is asked to look"),
        ),
    ]
