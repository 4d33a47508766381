import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("stages", "0002_facts")]

    operations = [
        migrations.AddField(
            model_name="revision",
            name="verified_sha256",
            field=models.CharField(
                blank=True, default="", max_length=64, verbose_name="SHA-256 of the facts typed a second time"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="revision",
            name="replaces",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="stages.revision",
                verbose_name="took the place of",
            ),
        ),
    ]
