import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('stages', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Fetch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('platform', models.CharField(choices=[('bga', 'Board Game Arena'), ('playstrategy', 'PlayStrategy'), ('abstractplay', 'Abstract Play')], max_length=12, verbose_name='platform')),
                ('kind', models.CharField(choices=[('swiss', 'Swiss tournament'), ('arena', 'arena'), ('tournament', 'tournament'), ('archived', 'archived tournament'), ('event', 'event')], max_length=10, verbose_name='kind')),
                ('key', models.CharField(max_length=100, verbose_name='id on the platform')),
                ('trouble', models.CharField(blank=True, max_length=20, verbose_name='trouble')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='asked')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('job', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='core.job', verbose_name='waiting step')),
                ('source', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='stages.sourcefile', verbose_name='source file')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fetches', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'fetch from a platform',
                'verbose_name_plural': 'fetches from platforms',
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['swiss', 'arena', 'tournament', 'archived', 'event'])), name='fetch_kind_is_known'), models.CheckConstraint(condition=models.Q(('platform__in', ['bga', 'playstrategy', 'abstractplay'])), name='fetch_platform_is_known')],
            },
        ),
    ]
