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
            name='Computation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=80, verbose_name='kind')),
                ('edition', models.PositiveSmallIntegerField(verbose_name='edition of the rules')),
                ('settings', models.JSONField(blank=True, default=dict, verbose_name='settings in force')),
                ('read', models.JSONField(blank=True, default=dict, verbose_name='what it read')),
                ('sha256', models.CharField(max_length=64, verbose_name='SHA-256 of what came out')),
                ('cause', models.CharField(max_length=40, verbose_name='caused by')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='computed')),
                ('revision', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='computations', to='stages.revision', verbose_name='revision')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='computations', to='stages.season', verbose_name='season')),
                ('stage', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='computations', to='stages.stage', verbose_name='stage')),
                ('supersedes', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded_by', to='publishing.computation', verbose_name='takes the place of')),
            ],
            options={
                'verbose_name': 'computation',
                'verbose_name_plural': 'computations',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Line',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField(verbose_name='order')),
                ('rank', models.PositiveIntegerField(verbose_name='place')),
                ('is_shared', models.BooleanField(default=False, verbose_name='shared')),
                ('value', models.DecimalField(decimal_places=3, max_digits=12, verbose_name='value')),
                ('decided_by', models.CharField(blank=True, max_length=20, verbose_name='decided by')),
                ('detail', models.JSONField(blank=True, default=dict, verbose_name='detail')),
                ('computation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='publishing.computation', verbose_name='computation')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'line of a ranking',
                'verbose_name_plural': 'lines of rankings',
                'ordering': ['computation', 'position'],
            },
        ),
        migrations.CreateModel(
            name='PgrChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ended_on', models.DateField(verbose_name='last day of the stage')),
                ('before', models.IntegerField(verbose_name='before')),
                ('half_points', models.PositiveSmallIntegerField(verbose_name='half points scored')),
                ('expected', models.DecimalField(decimal_places=6, max_digits=9, verbose_name='expected')),
                ('rated_games', models.PositiveSmallIntegerField(verbose_name='games that count')),
                ('valid_games', models.PositiveSmallIntegerField(verbose_name='valid games')),
                ('k', models.PositiveSmallIntegerField(verbose_name='K')),
                ('after', models.IntegerField(verbose_name='after')),
                ('is_first', models.BooleanField(default=False, verbose_name='first rating')),
                ('last_valid_on', models.DateField(null=True, verbose_name='last valid game')),
                ('games', models.TextField(verbose_name='games')),
                ('is_current', models.BooleanField(default=True, verbose_name='in force')),
                ('computation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pgr_changes', to='publishing.computation', verbose_name='computation')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pgr_changes', to='stages.game', verbose_name='game')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pgr_changes', to='players.player', verbose_name='player')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pgr_changes', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'PGR change',
                'verbose_name_plural': 'PGR changes',
                'ordering': ['ended_on', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='version')),
                ('as_of', models.DateField(verbose_name='as of')),
                ('is_current', models.BooleanField(default=False, verbose_name='current')),
                ('cause', models.CharField(max_length=40, verbose_name='caused by')),
                ('published_at', models.DateTimeField(verbose_name='published')),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True, verbose_name='withdrawn')),
                ('ratings', models.JSONField(blank=True, default=dict, verbose_name='PGR computations')),
                ('before', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='publishing.publication', verbose_name='the version before')),
                ('published_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('revision', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='publications', to='stages.revision', verbose_name='revision')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='publications', to='stages.season', verbose_name='season')),
                ('withdrawn_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='withdrawn by')),
            ],
            options={
                'verbose_name': 'publication',
                'verbose_name_plural': 'publications',
                'ordering': ['season', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Freeze',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('document', models.TextField(blank=True, verbose_name='the frozen rankings')),
                ('sha256', models.CharField(blank=True, max_length=64, verbose_name='SHA-256')),
                ('proposed_at', models.DateTimeField(auto_now_add=True, verbose_name='proposed')),
                ('frozen_at', models.DateTimeField(blank=True, null=True, verbose_name='frozen')),
                ('frozen_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='frozen by')),
                ('proposed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='proposed by')),
                ('season', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='freeze', to='stages.season', verbose_name='season')),
                ('publication', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='publishing.publication', verbose_name='publication')),
            ],
            options={
                'verbose_name': 'final rankings of a year',
                'verbose_name_plural': 'final rankings of the years',
                'ordering': ['-season'],
            },
        ),
        migrations.CreateModel(
            name='Erratum',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_against_final', models.BooleanField(default=False, verbose_name='against final rankings')),
                ('cause', models.CharField(max_length=40, verbose_name='caused by')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('changes', models.JSONField(default=dict, verbose_name='what changed')),
                ('decision', models.CharField(blank=True, max_length=60, verbose_name='decision')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('told_at', models.DateTimeField(blank=True, null=True, verbose_name='when those concerned were written to')),
                ('approved_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='approved by')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('revision', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='errata', to='stages.revision', verbose_name='revision')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='errata', to='stages.season', verbose_name='season')),
                ('against', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='publishing.publication', verbose_name='what was public')),
                ('publication', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='errata', to='publishing.publication', verbose_name='publication')),
            ],
            options={
                'verbose_name': 'erratum',
                'verbose_name_plural': 'errata',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Shown',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=80, verbose_name='kind')),
                ('computation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shown', to='publishing.computation', verbose_name='computation')),
                ('publication', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='shown', to='publishing.publication', verbose_name='publication')),
            ],
            options={
                'verbose_name': 'ranking of a publication',
                'verbose_name_plural': 'rankings of publications',
            },
        ),
        migrations.AddField(
            model_name='publication',
            name='computations',
            field=models.ManyToManyField(related_name='publications', through='publishing.Shown', to='publishing.computation'),
        ),
        migrations.AddIndex(
            model_name='computation',
            index=models.Index(fields=['kind', 'season', 'sha256'], name='computation_same_content'),
        ),
        migrations.AddConstraint(
            model_name='line',
            constraint=models.UniqueConstraint(fields=('computation', 'position'), name='line_position_once'),
        ),
        migrations.AddConstraint(
            model_name='line',
            constraint=models.UniqueConstraint(fields=('computation', 'player'), name='line_player_once'),
        ),
        migrations.AddConstraint(
            model_name='line',
            constraint=models.CheckConstraint(condition=models.Q(('rank__gte', 1)), name='ranks_count_from_one'),
        ),
        migrations.AddIndex(
            model_name='pgrchange',
            index=models.Index(condition=models.Q(('is_current', True)), fields=['game', 'player', 'ended_on'], name='pgr_of_a_player'),
        ),
        migrations.AddIndex(
            model_name='pgrchange',
            index=models.Index(condition=models.Q(('is_current', True)), fields=['ended_on'], name='pgr_by_day'),
        ),
        migrations.AddConstraint(
            model_name='pgrchange',
            constraint=models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('stage', 'player'), name='one_pgr_change_a_stage_in_force'),
        ),
        migrations.AddConstraint(
            model_name='freeze',
            constraint=models.CheckConstraint(condition=models.Q(('frozen_by', None), models.Q(('frozen_by', models.F('proposed_by')), _negated=True), _connector='OR'), name='freeze_is_confirmed_by_another'),
        ),
        migrations.AddConstraint(
            model_name='freeze',
            constraint=models.CheckConstraint(condition=models.Q(('frozen_at', None), models.Q(('publication__isnull', False), models.Q(('sha256', ''), _negated=True)), _connector='OR'), name='frozen_is_complete'),
        ),
        migrations.AddConstraint(
            model_name='erratum',
            constraint=models.UniqueConstraint(condition=models.Q(('decision', ''), _negated=True), fields=('season', 'decision'), name='decision_has_one_erratum_a_season'),
        ),
        migrations.AddConstraint(
            model_name='shown',
            constraint=models.UniqueConstraint(fields=('publication', 'kind'), name='ranking_once_a_publication'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.UniqueConstraint(fields=('season', 'number'), name='publication_number_once_a_season'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('season',), name='season_has_one_current_publication'),
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=models.CheckConstraint(condition=models.Q(('is_current', False), ('withdrawn_at', None), _connector='OR'), name='withdrawn_publication_is_not_current'),
        ),
    ]
