from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("contact", "0001_initial"),
    ]

    operations = [
        migrations.RenameField("outgoingmail", "sent_at", "closed_at"),
        migrations.AlterField(
            "outgoingmail",
            "closed_at",
            models.DateTimeField(blank=True, null=True, verbose_name="sent or refused"),
        ),
        migrations.AddField(
            "outgoingmail",
            "refused",
            models.BooleanField(default=False, verbose_name="refused by the recipient's server"),
        ),
    ]
