import django.db.models.deletion
import django.db.models.functions.text
import django_countries.fields
import pergioco.core.fields
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('kind', models.CharField(choices=[('club', 'club'), ('family', 'family or common group')], default='club', max_length=6, verbose_name='kind')),
                ('city', models.CharField(blank=True, max_length=100, verbose_name='city')),
            ],
            options={
                'verbose_name': 'club',
                'verbose_name_plural': 'clubs and groups',
                'ordering': ['name', 'id'],
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('name'), models.F('kind'), name='club_name_once_per_kind'), models.CheckConstraint(condition=models.Q(('kind__in', ['club', 'family'])), name='club_kind_is_known')],
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=pergioco.core.fields.random_id, editable=False, max_length=32, unique=True, verbose_name='public id')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('erased_at', models.DateTimeField(blank=True, null=True, verbose_name='personal data erased')),
                ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='absorbed', to='players.player', verbose_name='is the same as')),
            ],
            options={
                'verbose_name': 'player',
                'verbose_name_plural': 'players',
            },
        ),
        migrations.CreateModel(
            name='PlatformAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('platform', models.CharField(choices=[('bga', 'Board Game Arena'), ('playstrategy', 'PlayStrategy'), ('abstractplay', 'Abstract Play')], max_length=12, verbose_name='platform')),
                ('platform_id', models.CharField(max_length=80, verbose_name='id on the platform')),
                ('proof', models.CharField(choices=[('claimed', 'declared'), ('code', 'proved with a code'), ('person', 'checked by a person')], default='claimed', max_length=8, verbose_name='proof')),
                ('proved_at', models.DateTimeField(blank=True, null=True, verbose_name='proved')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='added')),
                ('proved_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='checked by')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'account on a platform',
                'verbose_name_plural': 'accounts on platforms',
                'ordering': ['platform', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first_name', models.CharField(max_length=100, verbose_name='first name')),
                ('last_name', models.CharField(max_length=100, verbose_name='surname')),
                ('city', models.CharField(max_length=100, verbose_name='city')),
                ('country', django_countries.fields.CountryField(db_index=True, max_length=2, verbose_name='country')),
                ('birth_date', models.DateField(blank=True, null=True, verbose_name='birth date')),
                ('contact_email', models.EmailField(blank=True, help_text='Only for people who have no login yet.', max_length=254, verbose_name='e-mail without a login')),
                ('phone', models.CharField(blank=True, max_length=30, verbose_name='phone')),
                ('identity_checked_on', models.DateField(blank=True, null=True, verbose_name='identity document seen on')),
                ('search_key', pergioco.core.fields.FoldedField('first_name', 'last_name', db_index=True, editable=False, max_length=500, verbose_name='name for searching')),
                ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='person', to=settings.AUTH_USER_MODEL, verbose_name='login')),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='person', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
                'ordering': ['last_name', 'first_name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Merge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('moved', models.JSONField(default=dict, verbose_name='rows moved')),
                ('reason', models.TextField(verbose_name='reason')),
                ('done_at', models.DateTimeField(auto_now_add=True, verbose_name='done')),
                ('undone_at', models.DateTimeField(blank=True, null=True, verbose_name='undone')),
                ('done_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='done by')),
                ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='undone by')),
                ('absorbed', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player', verbose_name='is absorbed')),
                ('kept', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges', to='players.player', verbose_name='stays')),
            ],
            options={
                'verbose_name': 'merge',
                'verbose_name_plural': 'merges',
                'ordering': ['-done_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('member_on', models.DateField(verbose_name='member since')),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='membership', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'BIG membership',
                'verbose_name_plural': 'BIG memberships',
            },
        ),
        migrations.CreateModel(
            name='ErasureJournal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(verbose_name='asked')),
                ('done_at', models.DateTimeField(auto_now_add=True, verbose_name='done')),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='erasure', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'erasure',
                'verbose_name_plural': 'erasures',
            },
        ),
        migrations.CreateModel(
            name='Disqualification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('ranking', 'out of the rankings; games stay valid for the opponents'), ('void', 'out of the rankings, and games are void for the opponents too')], max_length=7, verbose_name='kind')),
                ('effective_on', models.DateField(verbose_name='from')),
                ('reason', models.TextField(verbose_name='reason')),
                ('proposed_at', models.DateTimeField(auto_now_add=True, verbose_name='proposed')),
                ('confirmed_at', models.DateTimeField(blank=True, null=True, verbose_name='confirmed')),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True, verbose_name='withdrawn')),
                ('confirmed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='confirmed by')),
                ('proposed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='proposed by')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disqualifications', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'disqualification',
                'verbose_name_plural': 'disqualifications',
                'ordering': ['-proposed_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Consent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('rules', 'rules'), ('publication', 'publication of name, surname, city and country'), ('newsletter', 'newsletter')], max_length=11, verbose_name='about')),
                ('given', models.BooleanField(verbose_name='given')),
                ('text_version', models.CharField(max_length=10, verbose_name='version of the text')),
                ('language', models.CharField(choices=[('it', 'Italian'), ('en', 'English'), ('es', 'Spanish')], max_length=2, verbose_name='language')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('way', models.CharField(choices=[('registration', 'registration page'), ('account', 'account page'), ('staff', "by the federation's staff, on request"), ('link', 'by the link in a mail')], max_length=12, verbose_name='how')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='consents', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'consent',
                'verbose_name_plural': 'consents',
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='ClubMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='players.club', verbose_name='club')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='clubs', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'member of a club',
                'verbose_name_plural': 'members of clubs',
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('offered', 'not answered yet'), ('declined', '“that was somebody else”'), ('open', 'waiting for staff'), ('approved', 'approved'), ('refused', 'refused')], default='open', max_length=8, verbose_name='state')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided')),
                ('answer', models.TextField(blank=True, verbose_name='answer')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('account', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='players.platformaccount', verbose_name='account that was named at registration')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='players.player', verbose_name='who claims')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claimed_by', to='players.player', verbose_name='whose past')),
            ],
            options={
                'verbose_name': 'claim',
                'verbose_name_plural': 'claims',
                'ordering': ['made_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='CalendarLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=pergioco.core.fields.random_id, editable=False, max_length=32, unique=True, verbose_name='key')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='calendar_link', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'calendar link',
                'verbose_name_plural': 'calendar links',
            },
        ),
        migrations.CreateModel(
            name='ProofCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=20, unique=True, verbose_name='code')),
                ('made_at', models.DateTimeField(verbose_name='made')),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('used_at', models.DateTimeField(blank=True, null=True, verbose_name='used')),
                ('for_person', models.BooleanField(default=False, verbose_name='a person is asked to look')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='codes', to='players.platformaccount', verbose_name='account')),
            ],
            options={
                'verbose_name': 'proof code',
                'verbose_name_plural': 'proof codes',
            },
        ),
        migrations.CreateModel(
            name='Registration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('registered_on', models.DateField(verbose_name='registered on')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='received')),
                ('state', models.CharField(choices=[('mail', 'waiting for the e-mail to be confirmed'), ('new', 'new'), ('correct', 'needs a correction'), ('verified', 'identity verified'), ('refused', 'refused')], default='mail', max_length=8, verbose_name='state')),
                ('publication_allowed', models.BooleanField(default=True, verbose_name='publication allowed')),
                ('rules_accepted', models.BooleanField(default=True, verbose_name='rules accepted')),
                ('messages', models.JSONField(blank=True, default=dict, verbose_name='what to correct')),
                ('reviewed_at', models.DateTimeField(blank=True, null=True, verbose_name='reviewed')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='registration', to='players.player', verbose_name='player')),
                ('reviewed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='reviewed by')),
            ],
            options={
                'verbose_name': 'registration',
                'verbose_name_plural': 'registrations',
            },
        ),
        migrations.CreateModel(
            name='Sanction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_on', models.DateField(verbose_name='from')),
                ('ends_on', models.DateField(verbose_name='last day')),
                ('reason', models.TextField(verbose_name='reason')),
                ('decided_at', models.DateTimeField(auto_now_add=True, verbose_name='decided')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sanctions', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'sanction',
                'verbose_name_plural': 'sanctions',
                'ordering': ['-starts_on', 'id'],
            },
        ),
        migrations.CreateModel(
            name='EventCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=32, unique=True, verbose_name='code')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='what it is for')),
                ('valid_from', models.DateTimeField(verbose_name='valid from')),
                ('valid_to', models.DateTimeField(verbose_name='valid to')),
                ('uses_left', models.PositiveIntegerField(default=100, verbose_name='uses left')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='created by')),
            ],
            options={
                'verbose_name': 'event code',
                'verbose_name_plural': 'event codes',
                'constraints': [models.CheckConstraint(condition=models.Q(('valid_to__gt', models.F('valid_from'))), name='event_code_lasts')],
            },
        ),
        migrations.CreateModel(
            name='Nickname',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='nickname')),
                ('key', models.CharField(db_index=True, editable=False, max_length=80, verbose_name='folded nickname')),
                ('valid_from', models.DateField(verbose_name='from')),
                ('valid_to', models.DateField(blank=True, null=True, verbose_name='until')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='nicknames', to='players.platformaccount', verbose_name='account on a platform')),
            ],
            options={
                'verbose_name': 'nickname',
                'verbose_name_plural': 'nicknames',
                'ordering': ['account', 'valid_from', 'id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('valid_to', None)), fields=('account',), name='account_has_one_nickname_at_a_time'), models.CheckConstraint(condition=models.Q(('valid_to', None), ('valid_to__gte', models.F('valid_from')), _connector='OR'), name='nickname_dates_run_forward')],
            },
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into', models.F('id')), _negated=True), name='player_is_not_merged_into_itself'),
        ),
        migrations.AddConstraint(
            model_name='platformaccount',
            constraint=models.UniqueConstraint(fields=('platform', 'platform_id'), name='platform_account_belongs_to_one_player'),
        ),
        migrations.AddConstraint(
            model_name='platformaccount',
            constraint=models.CheckConstraint(condition=models.Q(('platform__in', ['bga', 'playstrategy', 'abstractplay'])), name='platform_is_known'),
        ),
        migrations.AddConstraint(
            model_name='platformaccount',
            constraint=models.CheckConstraint(condition=models.Q(('proof__in', ['claimed', 'code', 'person'])), name='proof_is_known'),
        ),
        migrations.AddConstraint(
            model_name='platformaccount',
            constraint=models.CheckConstraint(condition=models.Q(('platform_id', ''), _negated=True), name='platform_account_has_a_key'),
        ),
        migrations.AddConstraint(
            model_name='platformaccount',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('proof', 'claimed'), ('proved_at', None)), models.Q(models.Q(('proof', 'claimed'), _negated=True), ('proved_at__isnull', False)), _connector='OR'), name='proved_account_says_when'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(('user', None), ('contact_email', ''), _connector='OR'), name='person_has_one_e_mail_address'),
        ),
        migrations.AddConstraint(
            model_name='merge',
            constraint=models.UniqueConstraint(condition=models.Q(('undone_at', None)), fields=('absorbed',), name='player_is_absorbed_once'),
        ),
        migrations.AddConstraint(
            model_name='merge',
            constraint=models.CheckConstraint(condition=models.Q(('kept', models.F('absorbed')), _negated=True), name='merge_is_of_two_players'),
        ),
        migrations.AddConstraint(
            model_name='disqualification',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['ranking', 'void'])), name='disqualification_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='disqualification',
            constraint=models.CheckConstraint(condition=models.Q(('confirmed_by', None), models.Q(('confirmed_by', models.F('proposed_by')), _negated=True), _connector='OR'), name='disqualification_needs_two_people'),
        ),
        migrations.AddConstraint(
            model_name='disqualification',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('confirmed_at', None), ('confirmed_by', None)), models.Q(('confirmed_at__isnull', False), ('confirmed_by__isnull', False)), models.Q(('confirmed_at__isnull', False), ('proposed_by', None)), _connector='OR'), name='disqualification_confirmed_by_and_when'),
        ),
        migrations.AddConstraint(
            model_name='disqualification',
            constraint=models.CheckConstraint(condition=models.Q(('proposed_by__isnull', False), models.Q(('confirmed_at__isnull', False), ('confirmed_by', None), ('proposed_by', None)), _connector='OR'), name='disqualification_without_proposer_is_the_archives'),
        ),
        migrations.AddConstraint(
            model_name='disqualification',
            constraint=models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('player',), name='one_open_disqualification_a_player'),
        ),
        migrations.AddIndex(
            model_name='consent',
            index=models.Index(fields=['player', 'kind', '-at'], name='consent_latest'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['rules', 'publication', 'newsletter'])), name='consent_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='clubmember',
            constraint=models.UniqueConstraint(fields=('club', 'player'), name='club_member_once'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['offered', 'declined', 'open'])), fields=('player', 'target'), name='claim_is_made_once'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.CheckConstraint(condition=models.Q(('player', models.F('target')), _negated=True), name='claim_is_about_another'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['offered', 'declined', 'open', 'approved', 'refused'])), name='claim_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='registration',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['mail', 'new', 'correct', 'verified', 'refused'])), name='registration_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='sanction',
            constraint=models.CheckConstraint(condition=models.Q(('ends_on__gte', models.F('starts_on'))), name='sanction_dates_run_forward'),
        ),
    ]
