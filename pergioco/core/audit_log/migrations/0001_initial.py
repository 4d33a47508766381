import django.core.serializers.json
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '__first__'),
        ('players', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True, db_index=True, verbose_name='when')),
                ('role', models.CharField(max_length=20, verbose_name='as')),
                ('action', models.CharField(max_length=60, verbose_name='action')),
                ('object_type', models.CharField(max_length=60, verbose_name='kind of object')),
                ('object_id', models.CharField(max_length=40, verbose_name='object')),
                ('changes', models.JSONField(default=dict, verbose_name='before and after')),
                ('before', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('after', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('request_id', models.CharField(blank=True, max_length=32, verbose_name='request')),
                ('shredded', models.BooleanField(default=False, verbose_name='values destroyed')),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='who')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit', to='players.player', verbose_name='player concerned')),
            ],
            options={
                'verbose_name': 'audit entry',
                'verbose_name_plural': 'audit log',
                'ordering': ['-at', '-id'],
                'indexes': [models.Index(fields=['object_type', 'object_id'], name='audit_of_an_object')],
            },
        ),
    ]
