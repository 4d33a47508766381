import pergioco.core.audit_log.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('audit_log', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('rows', models.PositiveIntegerField(verbose_name='rows')),
                ('seals', models.PositiveIntegerField(verbose_name='seals')),
                ('sha256', models.CharField(blank=True, max_length=64, verbose_name='SHA-256 of the last seal')),
                ('problem', models.CharField(blank=True, max_length=200, verbose_name='what does not hold')),
            ],
            options={
                'verbose_name': 'check of the audit log',
                'verbose_name_plural': 'checks of the audit log',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='AuditSeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(unique=True, verbose_name='number')),
                ('first_id', models.BigIntegerField(verbose_name='from')),
                ('last_id', models.BigIntegerField(verbose_name='to')),
                ('rows', models.PositiveIntegerField(verbose_name='rows')),
                ('lines', models.TextField(verbose_name='hashes of the rows')),
                ('sha256', models.CharField(max_length=64, verbose_name='SHA-256')),
                ('made_at', models.DateTimeField(verbose_name='when')),
            ],
            options={
                'verbose_name': 'seal of the audit log',
                'verbose_name_plural': 'seals of the audit log',
                'ordering': ['number'],
            },
        ),
        migrations.AddField(
            model_name='auditentry',
            name='salt',
            field=models.CharField(db_default='', default=pergioco.core.audit_log.models.make_salt, editable=False, max_length=32),
        ),
    ]
