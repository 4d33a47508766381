import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_initial'),
        ('stages', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Purge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField(unique=True, verbose_name='year')),
                ('listed', models.JSONField(default=list, verbose_name='whom it concerns')),
                ('proposed_at', models.DateTimeField(auto_now_add=True, verbose_name='proposed')),
                ('confirmed_at', models.DateTimeField(blank=True, null=True, verbose_name='confirmed')),
                ('destroyed_at', models.DateTimeField(blank=True, null=True, verbose_name='destroyed')),
                ('confirmed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='confirmed by')),
                ('proposed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='proposed by')),
            ],
            options={
                'verbose_name': 'purge',
                'verbose_name_plural': 'purges',
                'ordering': ['-year'],
            },
        ),
        migrations.CreateModel(
            name='Purged',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('before', models.IntegerField(verbose_name='before')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='purged', to='players.player', verbose_name='player')),
                ('purge', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='purged', to='ratings.purge', verbose_name='purge')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'purged rating',
                'verbose_name_plural': 'purged ratings',
                'ordering': ['purge', 'stage', 'player'],
            },
        ),
        migrations.AddConstraint(
            model_name='purge',
            constraint=models.CheckConstraint(condition=models.Q(('confirmed_by', None), models.Q(('confirmed_by', models.F('proposed_by')), _negated=True), _connector='OR'), name='purge_is_confirmed_by_another'),
        ),
        migrations.AddConstraint(
            model_name='purge',
            constraint=models.CheckConstraint(condition=models.Q(('destroyed_at', None), ('confirmed_at__isnull', False), _connector='OR'), name='purge_is_confirmed_before_it_destroys'),
        ),
        migrations.AddConstraint(
            model_name='purged',
            constraint=models.UniqueConstraint(fields=('stage', 'player'), name='rating_is_purged_once'),
        ),
    ]
