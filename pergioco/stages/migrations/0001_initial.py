import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True, verbose_name='slug')),
                ('name_it', models.CharField(max_length=80, verbose_name='Italian name')),
                ('name_en', models.CharField(max_length=80, verbose_name='English name')),
                ('name_es', models.CharField(max_length=80, verbose_name='Spanish name')),
            ],
            options={
                'verbose_name': 'game',
                'verbose_name_plural': 'games',
                'ordering': ['slug'],
            },
        ),
        migrations.CreateModel(
            name='Revision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('state', models.CharField(choices=[('draft', 'draft'), ('waiting', 'waiting for a second person'), ('current', 'current'), ('superseded', 'superseded'), ('dropped', 'dropped')], default='draft', max_length=10, verbose_name='state')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='begun')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('approved_at', models.DateTimeField(blank=True, null=True, verbose_name='approved')),
                ('sha256', models.CharField(blank=True, max_length=64, verbose_name='SHA-256 of the facts')),
                ('verified_sha256', models.CharField(blank=True, max_length=64, verbose_name='SHA-256 of the facts typed a second time')),
                ('approved_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='approved by')),
                ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='closed by')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='begun by')),
                ('replaces', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='stages.revision', verbose_name='took the place of')),
            ],
            options={
                'verbose_name': 'revision',
                'verbose_name_plural': 'revisions',
                'ordering': ['stage', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('phase', models.CharField(blank=True, max_length=20, verbose_name='phase')),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='stages.revision', verbose_name='revision')),
            ],
            options={
                'verbose_name': 'round',
                'verbose_name_plural': 'rounds',
                'ordering': ['revision', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField(unique=True, verbose_name='year')),
                ('starts_on', models.DateField(verbose_name='starts on')),
                ('ends_on', models.DateField(verbose_name='ends on')),
                ('settings', models.JSONField(blank=True, default=dict, verbose_name='settings')),
            ],
            options={
                'verbose_name': 'season',
                'verbose_name_plural': 'seasons',
                'ordering': ['-year'],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_on__gt', models.F('starts_on'))), name='season_dates_run_forward'), models.CheckConstraint(condition=models.Q(('ends_on__year', models.F('year')), ('starts_on__year', models.F('year'))), name='season_stays_in_its_year')],
            },
        ),
        migrations.CreateModel(
            name='Stage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True, verbose_name='slug')),
                ('circuit', models.CharField(choices=[('pgm', 'PerGioco Masters'), ('big', 'Board Italian Gamers'), ('rkm', 'RisiKo! Master')], default='pgm', max_length=3, verbose_name='circuit')),
                ('platform', models.CharField(blank=True, choices=[('bga', 'Board Game Arena'), ('playstrategy', 'PlayStrategy'), ('abstractplay', 'Abstract Play')], max_length=12, verbose_name='platform')),
                ('system', models.CharField(choices=[('round_robin', 'round robin'), ('swiss', 'Swiss'), ('knockout', 'knock-out'), ('other', 'other')], max_length=11, verbose_name='pairing system')),
                ('pace', models.CharField(choices=[('real_time', 'real time'), ('turn_based', 'turn based')], max_length=10, verbose_name='pace')),
                ('starts_on', models.DateField(verbose_name='starts on')),
                ('ends_on', models.DateField(verbose_name='ends on')),
                ('begins_at', models.TimeField(blank=True, null=True, verbose_name='time of the start, in Rome')),
                ('place', models.CharField(blank=True, max_length=200, verbose_name='where people meet')),
                ('city', models.CharField(blank=True, max_length=100, verbose_name='city')),
                ('by_invitation', models.BooleanField(default=False, verbose_name='by invitation')),
                ('race', models.BooleanField(default=False, verbose_name='counts for the Race')),
                ('final', models.BooleanField(default=False, verbose_name='national final')),
                ('capacity', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='capacity')),
                ('link', models.URLField(blank=True, verbose_name='link on the platform')),
                ('seed', models.CharField(blank=True, max_length=64, verbose_name='seed of the draws')),
                ('status', models.CharField(choices=[('planned', 'planned'), ('open', 'open'), ('closed', 'closed'), ('corrected', 'corrected'), ('cancelled', 'cancelled')], default='planned', max_length=9, verbose_name='status')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stages', to='stages.game', verbose_name='game')),
                ('organizers', models.ManyToManyField(blank=True, related_name='stages', to=settings.AUTH_USER_MODEL, verbose_name='organizers')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stages', to='stages.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'stage',
                'verbose_name_plural': 'stages',
                'ordering': ['starts_on', 'id'],
            },
        ),
        migrations.CreateModel(
            name='SourceFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('url', models.URLField(blank=True, max_length=500, verbose_name='address')),
                ('raw', models.BinaryField(verbose_name='content')),
                ('sha256', models.CharField(max_length=64, verbose_name='SHA-256')),
                ('reader', models.CharField(max_length=40, verbose_name='reader')),
                ('reader_version', models.PositiveSmallIntegerField(verbose_name='version of the reader')),
                ('read_at', models.DateTimeField(auto_now_add=True, verbose_name='read')),
                ('used_at', models.DateTimeField(blank=True, null=True, verbose_name='used')),
                ('read_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='source_files', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'source file',
                'verbose_name_plural': 'source files',
                'ordering': ['-read_at', '-id'],
            },
        ),
        migrations.AddField(
            model_name='revision',
            name='stage',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='revisions', to='stages.stage', verbose_name='stage'),
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('withdrew_after_round', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='withdrew after round')),
                ('entered_at', models.DateTimeField(auto_now_add=True, verbose_name='entered')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='players.player', verbose_name='player')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'entry',
                'verbose_name_plural': 'entries',
                'ordering': ['stage', 'id'],
            },
        ),
        migrations.CreateModel(
            name='DateChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('old_starts_on', models.DateField(verbose_name='started on')),
                ('old_ends_on', models.DateField(verbose_name='ended on')),
                ('new_starts_on', models.DateField(verbose_name='starts on')),
                ('new_ends_on', models.DateField(verbose_name='ends on')),
                ('reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='date_changes', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'moved date',
                'verbose_name_plural': 'moved dates',
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('version', models.PositiveIntegerField(default=0, verbose_name='version')),
                ('source_line', models.PositiveIntegerField(blank=True, null=True, verbose_name='line')),
                ('platform_key', models.CharField(blank=True, max_length=80, verbose_name='id on the platform')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='stages.round', verbose_name='round')),
                ('source', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='stages.sourcefile', verbose_name='read from')),
            ],
            options={
                'verbose_name': 'table',
                'verbose_name_plural': 'tables',
                'ordering': ['round', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('outcome', models.CharField(blank=True, choices=[('win', 'win'), ('draw', 'draw'), ('loss', 'loss')], max_length=4, verbose_name='outcome')),
                ('kind', models.CharField(blank=True, choices=[('played', 'played'), ('walkover', 'won: the opponent was absent'), ('no_show', 'was absent'), ('quit', 'abandoned'), ('bye', 'bye')], max_length=8, verbose_name='kind')),
                ('score', models.DecimalField(blank=True, decimal_places=2, max_digits=10, null=True, verbose_name='score')),
                ('bid', models.DecimalField(blank=True, decimal_places=2, max_digits=10, null=True, verbose_name='bid')),
                ('off_objective', models.DecimalField(blank=True, decimal_places=2, max_digits=10, null=True, verbose_name='points outside the objective')),
                ('objective_made', models.BooleanField(default=False, verbose_name='objective made')),
                ('timed_out', models.BooleanField(default=False, verbose_name='out of time')),
                ('played_on', models.DateField(blank=True, null=True, verbose_name='played on')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='players.player', verbose_name='player')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='stages.table', verbose_name='table')),
            ],
            options={
                'verbose_name': 'seat',
                'verbose_name_plural': 'seats',
                'ordering': ['table', 'position'],
            },
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('submission', models.UUIDField(unique=True, verbose_name='submission')),
                ('what', models.CharField(max_length=20, verbose_name='what')),
                ('before', models.JSONField(default=dict, verbose_name='before')),
                ('after', models.JSONField(default=dict, verbose_name='after')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('undone', models.BooleanField(default=False, verbose_name='undone')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='stages.revision', verbose_name='revision')),
                ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='changes', to='stages.table', verbose_name='table')),
            ],
            options={
                'verbose_name': 'change in a draft',
                'verbose_name_plural': 'changes in drafts',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='TableStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField(verbose_name='round')),
                ('table', models.PositiveSmallIntegerField(verbose_name='table')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('kind', models.CharField(choices=[('sent', 'scores sent'), ('confirmed', 'confirmed by a player'), ('disputed', 'referee called'), ('suspended', 'table suspended'), ('settled', 'settled by the referee'), ('auction', 'auction begun'), ('bid', 'bid'), ('taken_back', 'last step taken back'), ('clock', 'clock set up'), ('turn', 'clock handed over')], max_length=10, verbose_name='kind')),
                ('data', models.JSONField(blank=True, default=dict, verbose_name='content')),
                ('reason', models.CharField(blank=True, max_length=300, verbose_name='reason')),
                ('submission', models.UUIDField(unique=True, verbose_name='submission')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='table_steps', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'step at a table',
                'verbose_name_plural': 'steps at tables',
                'ordering': ['stage', 'round', 'table', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Variant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('platform', models.CharField(choices=[('bga', 'Board Game Arena'), ('playstrategy', 'PlayStrategy'), ('abstractplay', 'Abstract Play')], max_length=12, verbose_name='platform')),
                ('key', models.CharField(max_length=80, verbose_name='key on the platform')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='variants', to='stages.game', verbose_name='game')),
            ],
            options={
                'verbose_name': 'variant',
                'verbose_name_plural': 'variants',
                'ordering': ['platform', 'key'],
            },
        ),
        migrations.CreateModel(
            name='OpeningRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pgr', models.DecimalField(decimal_places=3, max_digits=9, verbose_name='PGR')),
                ('games', models.PositiveIntegerField(default=0, verbose_name='games')),
                ('last_played_on', models.DateField(blank=True, null=True, verbose_name='last played on')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='opening_ratings', to='stages.game', verbose_name='game')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='opening_ratings', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'opening rating',
                'verbose_name_plural': 'opening ratings',
                'ordering': ['player', 'game'],
                'constraints': [models.UniqueConstraint(fields=('player', 'game'), name='one_opening_rating_a_game'), models.CheckConstraint(condition=models.Q(('pgr__gt', 0)), name='opening_rating_is_positive')],
            },
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('revision', 'number'), name='round_number_once_a_revision'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='rounds_count_from_one'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('ends_on__gte', models.F('starts_on'))), name='stage_dates_run_forward'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('circuit__in', ['pgm', 'big', 'rkm'])), name='stage_circuit_is_known'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('platform__in', ['', 'bga', 'playstrategy', 'abstractplay'])), name='stage_platform_is_known'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('system__in', ['round_robin', 'swiss', 'knockout', 'other'])), name='stage_system_is_known'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('pace__in', ['real_time', 'turn_based'])), name='stage_pace_is_known'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['planned', 'open', 'closed', 'corrected', 'cancelled'])), name='stage_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('race', False), models.Q(('capacity__isnull', False), ('capacity__lte', 64), ('circuit', 'pgm')), _connector='OR'), name='race_stage_seats_64_at_most'),
        ),
        migrations.AddConstraint(
            model_name='revision',
            constraint=models.UniqueConstraint(fields=('stage', 'number'), name='revision_number_once_a_stage'),
        ),
        migrations.AddConstraint(
            model_name='revision',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'current')), fields=('stage',), name='stage_has_one_current_revision'),
        ),
        migrations.AddConstraint(
            model_name='revision',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['draft', 'waiting'])), fields=('stage',), name='stage_has_one_draft'),
        ),
        migrations.AddConstraint(
            model_name='revision',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'waiting', 'current', 'superseded', 'dropped'])), name='revision_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='revision',
            constraint=models.CheckConstraint(condition=models.Q(('approved_by', None), models.Q(('approved_by', models.F('closed_by')), _negated=True), _connector='OR'), name='revision_is_approved_by_another'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('stage', 'player'), name='player_enters_a_stage_once'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.UniqueConstraint(fields=('round', 'number'), name='table_number_once_a_round'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='tables_count_from_one'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'position'), name='seat_once_a_table'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'player'), name='player_once_a_table'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('position__gte', 1), ('position__lte', 7)), name='seats_are_one_to_seven'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['', 'win', 'draw', 'loss'])), name='outcome_is_known'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['', 'played', 'walkover', 'no_show', 'quit', 'bye'])), name='seat_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'walkover'), _negated=True), ('outcome', 'win'), _connector='OR'), name='walkover_is_a_win'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['no_show', 'quit']), _negated=True), ('outcome', 'loss'), _connector='OR'), name='absence_is_a_loss'),
        ),
        migrations.AddIndex(
            model_name='change',
            index=models.Index(fields=['revision', '-id'], name='change_latest'),
        ),
        migrations.AddConstraint(
            model_name='tablestep',
            constraint=models.UniqueConstraint(fields=('stage', 'round', 'table', 'number'), name='steps_of_a_table_in_a_row'),
        ),
        migrations.AddConstraint(
            model_name='tablestep',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['sent', 'confirmed', 'disputed', 'suspended', 'settled', 'auction', 'bid', 'taken_back', 'clock', 'turn'])), name='table_step_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='variant',
            constraint=models.UniqueConstraint(fields=('platform', 'key'), name='variant_belongs_to_one_game'),
        ),
        migrations.AddConstraint(
            model_name='variant',
            constraint=models.CheckConstraint(condition=models.Q(('platform__in', ['bga', 'playstrategy', 'abstractplay'])), name='variant_platform_is_known'),
        ),
    ]
