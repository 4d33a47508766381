import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('stages', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Commitment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(choices=[(1, 'first game'), (2, 'second game'), (3, 'semifinals')], verbose_name='draw')),
                ('attempt', models.PositiveSmallIntegerField(default=1, verbose_name='attempt')),
                ('algorithm', models.CharField(max_length=20, verbose_name='algorithm')),
                ('seed', models.CharField(max_length=64, verbose_name='seed')),
                ('seed_sha256', models.CharField(max_length=64, verbose_name='SHA-256 of the seed')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='published')),
                ('reason', models.TextField(blank=True, verbose_name='why it is drawn again')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='draws', to='stages.stage', verbose_name='stage')),
                ('supersedes', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded_by', to='risiko_master.commitment', verbose_name='instead of')),
            ],
            options={
                'verbose_name': 'promised draw',
                'verbose_name_plural': 'promised draws',
                'ordering': ['stage', 'number', 'attempt'],
            },
        ),
        migrations.CreateModel(
            name='Draw',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.CharField(max_length=64, verbose_name='seed')),
                ('inputs', models.TextField(verbose_name='drawn from')),
                ('inputs_sha256', models.CharField(max_length=64, verbose_name='SHA-256 of what it was drawn from')),
                ('result', models.TextField(verbose_name='tables')),
                ('result_sha256', models.CharField(max_length=64, verbose_name='SHA-256 of the tables')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='drawn')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('commitment', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='draw', to='risiko_master.commitment', verbose_name='promised draw')),
            ],
            options={
                'verbose_name': 'draw',
                'verbose_name_plural': 'draws',
                'ordering': ['commitment'],
            },
        ),
        migrations.CreateModel(
            name='Presence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='presence', to='stages.entry', verbose_name='entry')),
            ],
            options={
                'verbose_name': 'presence',
                'verbose_name_plural': 'presences',
                'ordering': ['entry'],
            },
        ),
        migrations.CreateModel(
            name='RefereeDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('direct', models.PositiveSmallIntegerField(verbose_name='straight to the final')),
                ('semifinals', models.PositiveSmallIntegerField(verbose_name='semifinals')),
                ('reason', models.TextField(verbose_name='reason')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='referee_decisions', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'decision of the referee',
                'verbose_name_plural': 'decisions of the referee',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ClockPress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.PositiveSmallIntegerField(verbose_name='game')),
                ('what', models.CharField(choices=[('start', 'time starts'), ('pause', 'time stops'), ('resume', 'time goes on'), ('end', 'game over')], max_length=6, verbose_name='what')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='clock_presses', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'press of the clock',
                'verbose_name_plural': 'presses of the clock',
                'ordering': ['id'],
                'indexes': [models.Index(fields=['stage', 'game', 'id'], name='clock_of_a_game')],
                'constraints': [models.CheckConstraint(condition=models.Q(('what__in', ['start', 'pause', 'resume', 'end'])), name='clock_press_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('what', 'pause'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='clock_stops_with_a_reason')],
            },
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.UniqueConstraint(fields=('stage', 'number', 'attempt'), name='draw_attempt_once'),
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1), ('number__lte', 3)), name='draw_number_is_known'),
        ),
        migrations.AddConstraint(
            model_name='commitment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attempt', 1), ('reason', ''), ('supersedes', None)), models.Q(('attempt__gte', 2), ('supersedes__isnull', False), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='draw_is_repeated_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='draw',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('inputs', ''), _negated=True), models.Q(('result', ''), _negated=True)), name='draw_is_written_whole'),
        ),
        migrations.AddConstraint(
            model_name='refereedecision',
            constraint=models.CheckConstraint(condition=models.Q(('direct__gte', 0), ('direct__lte', 4), ('semifinals__gte', 0), ('semifinals__lte', 4)), name='referee_fills_one_final'),
        ),
        migrations.AddConstraint(
            model_name='refereedecision',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='referee_gives_a_reason'),
        ),
    ]
