import django.db.models.deletion
import pergioco.core.fields
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '__first__'),
        ('players', '0001_initial'),
        ('stages', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=pergioco.core.fields.random_id, editable=False, max_length=32, unique=True, verbose_name='key of the signed link')),
                ('submission', models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name='key of the form that was sent')),
                ('other_games', models.CharField(blank=True, max_length=200, verbose_name='games that are not on the list')),
                ('place', models.CharField(max_length=120, verbose_name='public place')),
                ('address', models.CharField(max_length=200, verbose_name='address')),
                ('city', models.CharField(max_length=100, verbose_name='city')),
                ('starts_at', models.DateTimeField(verbose_name='day and time of the start')),
                ('organizer_name', models.CharField(max_length=100, verbose_name="organizer's name")),
                ('organizer_phone', models.CharField(max_length=30, verbose_name="organizer's phone")),
                ('organizer_email', models.EmailField(max_length=254, verbose_name="organizer's e-mail")),
                ('prizes', models.TextField(blank=True, max_length=1000, verbose_name='prizes')),
                ('rounds', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='rounds')),
                ('expected', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='players expected')),
                ('capacity', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='seats')),
                ('criterion', models.CharField(blank=True, max_length=200, verbose_name='why so many seats, and who gets them')),
                ('bring_box', models.BooleanField(default=False, verbose_name='players are asked to bring the game')),
                ('how', models.TextField(blank=True, max_length=2000, verbose_name='how it is played')),
                ('notes', models.TextField(blank=True, max_length=2000, verbose_name='notes for BIG')),
                ('language', models.CharField(choices=[('it', 'Italian'), ('en', 'English'), ('es', 'Spanish')], default='it', max_length=2, verbose_name='language')),
                ('state', models.CharField(choices=[('sent', 'sent'), ('change', 'to be changed'), ('homologated', 'homologated'), ('refused', 'refused')], default='sent', max_length=11, verbose_name='state')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('answer', models.TextField(blank=True, max_length=2000, verbose_name='what BIG answered')),
                ('sent_at', models.DateTimeField(auto_now_add=True, verbose_name='sent')),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('games', models.ManyToManyField(blank=True, related_name='+', to='stages.game', verbose_name='games')),
                ('sent_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='sent by')),
                ('stage', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='big_event', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'BIG event',
                'verbose_name_plural': 'BIG events',
                'ordering': ['-starts_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Final',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=pergioco.core.fields.random_id, editable=False, max_length=32, unique=True, verbose_name='key of the signed links')),
                ('submission', models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name='key of the form that was sent')),
                ('place', models.CharField(max_length=120, verbose_name='venue')),
                ('address', models.CharField(max_length=200, verbose_name='address')),
                ('city', models.CharField(max_length=100, verbose_name='city')),
                ('starts_at', models.DateTimeField(verbose_name='day and time of the start')),
                ('answers_until', models.DateField(verbose_name='last day to answer')),
                ('seats', models.PositiveSmallIntegerField(default=32, verbose_name='seats')),
                ('reserves', models.PositiveSmallIntegerField(default=32, verbose_name='reserves')),
                ('heads', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='heads of series')),
                ('early_order', models.CharField(choices=[('time', 'by the time of their answer'), ('ranking', 'by their place in the ranking')], default='time', max_length=7, verbose_name='order of reserves who said yes early')),
                ('asks_box', models.BooleanField(default=False, verbose_name='players are asked to bring the game')),
                ('how', models.TextField(blank=True, max_length=2000, verbose_name='formula')),
                ('letter_it', models.TextField(blank=True, max_length=2000, verbose_name='more for the mail, Italian')),
                ('letter_en', models.TextField(blank=True, max_length=2000, verbose_name='more for the mail, English')),
                ('letter_es', models.TextField(blank=True, max_length=2000, verbose_name='more for the mail, Spanish')),
                ('contact', models.EmailField(max_length=254, verbose_name='address for questions')),
                ('seed', models.CharField(default=pergioco.core.fields.random_id, editable=False, max_length=32, verbose_name='seed of the lots')),
                ('first_mail_at', models.DateTimeField(blank=True, null=True, verbose_name='first mail')),
                ('second_mail_at', models.DateTimeField(blank=True, null=True, verbose_name='second mail')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='announced')),
                ('champion', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player', verbose_name='reigning champion')),
                ('stage', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='big_final', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'national final',
                'verbose_name_plural': 'national finals',
                'ordering': ['-starts_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Convocation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mail', models.PositiveSmallIntegerField(verbose_name='which mail')),
                ('is_sent', models.BooleanField(verbose_name='an address was known')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='convocations', to='players.player', verbose_name='player')),
                ('final', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='mails', to='big_league.final', verbose_name='national final')),
            ],
            options={
                'verbose_name': 'convocation mail',
                'verbose_name_plural': 'convocation mails',
                'ordering': ['final', 'mail', 'id'],
            },
        ),
        migrations.CreateModel(
            name='CalledPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(verbose_name='position')),
                ('points', models.DecimalField(decimal_places=3, max_digits=12, verbose_name='points')),
                ('results', models.JSONField(default=list, verbose_name='results')),
                ('elo', models.DecimalField(blank=True, decimal_places=3, max_digits=9, null=True, verbose_name='Elo')),
                ('is_reserve', models.BooleanField(default=False, verbose_name='reserve')),
                ('decided_by', models.CharField(blank=True, max_length=10, verbose_name='decided by')),
                ('is_flagged', models.BooleanField(default=False, verbose_name='tied at a border')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='called_to', to='players.player', verbose_name='player')),
                ('final', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='called', to='big_league.final', verbose_name='national final')),
            ],
            options={
                'verbose_name': 'player called to a final',
                'verbose_name_plural': 'players called to finals',
                'ordering': ['final', 'position'],
            },
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('said', models.CharField(choices=[('yes', 'comes'), ('no', 'does not come'), ('opened', 'the second mail left'), ('granted', 'let in')], max_length=7, verbose_name='answer')),
                ('brings_box', models.BooleanField(blank=True, null=True, verbose_name='brings the game')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='reason')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='players.player', verbose_name='player')),
                ('final', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='big_league.final', verbose_name='national final')),
            ],
            options={
                'verbose_name': 'answer to a convocation',
                'verbose_name_plural': 'answers to convocations',
                'ordering': ['final', 'number'],
            },
        ),
        migrations.CreateModel(
            name='FinalSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('why', models.CharField(choices=[('called', 'called'), ('early_reserve', 'reserve who said yes early'), ('answered', 'answered in time'), ('granted', 'let in by BIG')], max_length=13, verbose_name='why')),
                ('since', models.DateTimeField(auto_now_add=True, verbose_name='since')),
                ('final', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='taken', to='big_league.final', verbose_name='national final')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='final_seats', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'seat of a final',
                'verbose_name_plural': 'seats of finals',
                'ordering': ['final', 'number'],
            },
        ),
        migrations.CreateModel(
            name='GameSheet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chapter', models.CharField(max_length=8, verbose_name='chapter of the rules')),
                ('most', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='players at a table, at most')),
                ('recommended', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='players at a table, recommended')),
                ('two_only', models.BooleanField(default=False, verbose_name='only tables of two are homologated')),
                ('extra_rounds', models.PositiveSmallIntegerField(default=0, verbose_name='rounds more than the general rules ask')),
                ('minutes', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='minutes of the whole game')),
                ('each', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='minutes of each player')),
                ('draft', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='minutes of the draft')),
                ('auction', models.CharField(blank=True, choices=[('', 'none'), ('A', 'A: for the seat'), ('B', 'B: for seat and faction'), ('C', 'C: for the faction')], max_length=1, verbose_name='auction')),
                ('step', models.DecimalField(decimal_places=1, default=Decimal('1'), max_digits=2, verbose_name='least raise')),
                ('final_draw', models.CharField(blank=True, choices=[('replay', 'played again'), ('replay_tied', 'played again by those who share the place'), ('earlier', 'the order before the final phase decides'), ('impossible', 'cannot happen'), ('', 'no final is played')], max_length=11, verbose_name='draw in the final')),
                ('final_format', models.CharField(choices=[('two', 'for two'), ('three', 'for three'), ('four', 'for four and more'), ('dominion', 'Dominion'), ('hardcore', 'Hardcore Games'), ('potions', 'tables of four, then of two'), ('announced', 'told before the final')], max_length=9, verbose_name='format of the national final')),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='big', to='stages.game', verbose_name='game')),
            ],
            options={
                'verbose_name': 'game sheet of BIG',
                'verbose_name_plural': 'game sheets of BIG',
                'ordering': ['game'],
            },
        ),
        migrations.CreateModel(
            name='HardcorePick',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField(verbose_name='year')),
                ('position', models.PositiveSmallIntegerField(verbose_name='position')),
                ('title', models.CharField(max_length=80, verbose_name='title')),
            ],
            options={
                'verbose_name': 'game of a Hardcore final',
                'verbose_name_plural': 'games of the Hardcore finals',
                'ordering': ['-year', 'position'],
                'constraints': [models.UniqueConstraint(fields=('year', 'position'), name='hardcore_games_stand_in_order'), models.UniqueConstraint(fields=('year', 'title'), name='hardcore_game_once_a_year')],
            },
        ),
        migrations.CreateModel(
            name='OnlineTournament',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fee', models.PositiveIntegerField(verbose_name='price of an entry, in cents')),
                ('shop', models.URLField(blank=True, verbose_name='where entries are bought')),
                ('voucher_reason', models.CharField(blank=True, max_length=200, verbose_name='why')),
                ('stage', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='big_online', to='stages.stage', verbose_name='stage')),
                ('voucher_player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player', verbose_name='who gets the voucher')),
            ],
            options={
                'verbose_name': 'online tournament of BIG',
                'verbose_name_plural': 'online tournaments of BIG',
                'ordering': ['-stage'],
            },
        ),
        migrations.CreateModel(
            name='OnlineEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('paid', models.PositiveIntegerField(default=0, verbose_name='paid, in cents')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='online_entries', to='players.player', verbose_name='player')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='big_league.onlinetournament', verbose_name='online tournament of BIG')),
            ],
            options={
                'verbose_name': 'entry of an online tournament',
                'verbose_name_plural': 'entries of online tournaments',
                'ordering': ['tournament', 'id'],
            },
        ),
        migrations.CreateModel(
            name='SheetNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('setup', 'Set-up'), ('auction', 'Auction'), ('tie', 'Tie at the table'), ('banned', 'Banned cards'), ('erratum', 'Clarifications and errata'), ('note', 'How it is played'), ('final', 'National final')], max_length=7, verbose_name='kind')),
                ('position', models.PositiveSmallIntegerField(default=0, verbose_name='position')),
                ('text_it', models.CharField(max_length=300, verbose_name='Italian text')),
                ('text_en', models.CharField(max_length=300, verbose_name='English text')),
                ('text_es', models.CharField(max_length=300, verbose_name='Spanish text')),
                ('sheet', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='big_league.gamesheet', verbose_name='game sheet of BIG')),
            ],
            options={
                'verbose_name': 'note of a game sheet',
                'verbose_name_plural': 'notes of game sheets',
                'ordering': ['sheet', 'position', 'id'],
            },
        ),
        migrations.CreateModel(
            name='SignUp',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=pergioco.core.fields.random_id, editable=False, max_length=32, unique=True, verbose_name='key of the signed link')),
                ('submission', models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name='key of the form that was sent')),
                ('first_name', models.CharField(blank=True, max_length=100, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=100, verbose_name='surname')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='e-mail')),
                ('birth_date', models.DateField(blank=True, null=True, verbose_name='birth date')),
                ('phone', models.CharField(blank=True, max_length=30, verbose_name='phone')),
                ('nickname', models.CharField(blank=True, max_length=60, verbose_name='nickname on Board Game Arena')),
                ('brings_box', models.BooleanField(default=False, verbose_name='brings a box of the game')),
                ('language', models.CharField(choices=[('it', 'Italian'), ('en', 'English'), ('es', 'Spanish')], default='it', max_length=2, verbose_name='language')),
                ('at_the_door', models.BooleanField(default=False, verbose_name='came without signing up')),
                ('presence', models.CharField(blank=True, choices=[('', 'not seen yet'), ('present', 'present'), ('absent', 'absent')], max_length=7, verbose_name='presence')),
                ('signed_up_at', models.DateTimeField(auto_now_add=True, verbose_name='signed up')),
                ('left_at', models.DateTimeField(blank=True, null=True, verbose_name='cannot come, said')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signups', to='big_league.event', verbose_name='BIG event')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='big_signups', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'sign-up for a BIG event',
                'verbose_name_plural': 'sign-ups for BIG events',
                'ordering': ['event', 'signed_up_at', 'id'],
            },
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['sent', 'change', 'homologated', 'refused'])), name='big_event_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('stage__isnull', False), ('state', 'homologated')), models.Q(models.Q(('state', 'homologated'), _negated=True), ('stage', None)), _connector='OR'), name='homologated_big_event_has_a_stage'),
        ),
        migrations.AddConstraint(
            model_name='final',
            constraint=models.CheckConstraint(condition=models.Q(('seats__gte', 2)), name='final_has_seats'),
        ),
        migrations.AddConstraint(
            model_name='final',
            constraint=models.CheckConstraint(condition=models.Q(('early_order__in', ['time', 'ranking'])), name='final_early_order_is_known'),
        ),
        migrations.AddConstraint(
            model_name='final',
            constraint=models.CheckConstraint(condition=models.Q(('second_mail_at', None), ('first_mail_at__isnull', False), _connector='OR'), name='final_first_mail_is_first'),
        ),
        migrations.AddConstraint(
            model_name='convocation',
            constraint=models.UniqueConstraint(fields=('final', 'player', 'mail'), name='convocation_mail_once'),
        ),
        migrations.AddConstraint(
            model_name='convocation',
            constraint=models.CheckConstraint(condition=models.Q(('mail__in', [1, 2])), name='convocation_mail_is_known'),
        ),
        migrations.AddConstraint(
            model_name='calledplayer',
            constraint=models.UniqueConstraint(fields=('final', 'player'), name='player_is_called_once'),
        ),
        migrations.AddConstraint(
            model_name='calledplayer',
            constraint=models.UniqueConstraint(fields=('final', 'position'), name='called_position_once'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.UniqueConstraint(fields=('final', 'number'), name='answer_number_once_a_final'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('player', None), ('said', 'opened')), models.Q(('player__isnull', False), ('said__in', ['yes', 'no', 'granted'])), _connector='OR'), name='answer_is_somebodys'),
        ),
        migrations.AddConstraint(
            model_name='finalseat',
            constraint=models.UniqueConstraint(fields=('final', 'number'), name='final_seat_once'),
        ),
        migrations.AddConstraint(
            model_name='finalseat',
            constraint=models.UniqueConstraint(fields=('final', 'player'), name='final_seat_of_a_player_once'),
        ),
        migrations.AddConstraint(
            model_name='finalseat',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='final_seats_count_from_one'),
        ),
        migrations.AddConstraint(
            model_name='gamesheet',
            constraint=models.CheckConstraint(condition=models.Q(('auction__in', ['', 'A', 'B', 'C'])), name='sheet_auction_is_known'),
        ),
        migrations.AddConstraint(
            model_name='gamesheet',
            constraint=models.CheckConstraint(condition=models.Q(('step__in', [Decimal('1'), Decimal('0.1')])), name='sheet_step_is_known'),
        ),
        migrations.AddConstraint(
            model_name='gamesheet',
            constraint=models.CheckConstraint(condition=models.Q(('most', None), ('recommended', None), ('most__gte', models.F('recommended')), _connector='OR'), name='sheet_recommends_no_more_than_the_most'),
        ),
        migrations.AddConstraint(
            model_name='onlineentry',
            constraint=models.UniqueConstraint(fields=('tournament', 'player'), name='online_entry_once'),
        ),
        migrations.AddConstraint(
            model_name='signup',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at', None)), fields=('event', 'player'), name='player_signs_up_once_an_event'),
        ),
        migrations.AddConstraint(
            model_name='signup',
            constraint=models.CheckConstraint(condition=models.Q(('presence__in', ['', 'present', 'absent'])), name='presence_at_an_event_is_known'),
        ),
    ]
