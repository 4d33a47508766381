import django.db.models.deletion
import pergioco.core.fields
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('players', '0001_initial'),
        ('publishing', '0001_initial'),
        ('stages', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Bounce',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(max_length=254, verbose_name='address')),
                ('is_hard', models.BooleanField(default=True, verbose_name='for good')),
                ('at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('noted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='noted by')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bounces', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'mail that came back',
                'verbose_name_plural': 'mails that came back',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Brochure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(auto_now_add=True, verbose_name='asked')),
                ('made_at', models.DateTimeField(blank=True, null=True, verbose_name='made')),
                ('kind', models.CharField(choices=[('season', 'the whole season'), ('ranking', 'one ranking')], max_length=8, verbose_name='kind')),
                ('about', models.CharField(blank=True, max_length=80, verbose_name='ranking')),
                ('language', models.CharField(choices=[('it', 'Italian'), ('en', 'English'), ('es', 'Spanish')], max_length=2, verbose_name='language')),
                ('sections', models.JSONField(blank=True, default=list, verbose_name='sections')),
                ('file', models.CharField(blank=True, max_length=120, verbose_name='file')),
                ('pdf', models.BinaryField(blank=True, null=True, verbose_name='PDF')),
                ('sha256', models.CharField(blank=True, max_length=64, verbose_name='SHA-256')),
                ('pages', models.PositiveSmallIntegerField(default=0, verbose_name='pages')),
                ('left_out', models.PositiveIntegerField(default=0, verbose_name='people left out')),
                ('named', models.JSONField(blank=True, default=list, verbose_name='players named in it')),
                ('named_by_big', models.JSONField(blank=True, default=list, verbose_name='members of BIG named in it')),
                ('published_at', models.DateTimeField(blank=True, null=True, verbose_name='published')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('job', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='core.job', verbose_name='waiting step')),
                ('publication', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='publishing.publication', verbose_name='publication')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='brochures', to='stages.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'brochure',
                'verbose_name_plural': 'brochures',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Campaign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('submission', models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name='key of the form that was sent')),
                ('subject_it', models.CharField(blank=True, max_length=150, verbose_name='Italian subject')),
                ('subject_en', models.CharField(blank=True, max_length=150, verbose_name='English subject')),
                ('subject_es', models.CharField(blank=True, max_length=150, verbose_name='Spanish subject')),
                ('text_it', models.TextField(blank=True, max_length=20000, verbose_name='Italian text')),
                ('text_en', models.TextField(blank=True, max_length=20000, verbose_name='English text')),
                ('text_es', models.TextField(blank=True, max_length=20000, verbose_name='Spanish text')),
                ('state', models.CharField(choices=[('draft', 'being written'), ('held', 'about to leave'), ('sending', 'leaving'), ('sent', 'sent'), ('stopped', 'stopped')], default='draft', max_length=7, verbose_name='state')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='begun')),
                ('leaves_at', models.DateTimeField(blank=True, null=True, verbose_name='leaves at')),
                ('begun_at', models.DateTimeField(blank=True, null=True, verbose_name='first mail')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='last mail')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='begun by')),
                ('publication', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='publishing.publication', verbose_name='publication')),
                ('released_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='sent by')),
            ],
            options={
                'verbose_name': 'newsletter',
                'verbose_name_plural': 'newsletters',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=pergioco.core.fields.random_id, editable=False, max_length=32, unique=True, verbose_name='key of the signed link')),
                ('submission', models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name='key of the form that was sent')),
                ('kind', models.CharField(choices=[('complaint', 'complaint'), ('question', 'question')], max_length=9, verbose_name='kind')),
                ('office', models.CharField(choices=[('pgm', 'PerGioco Masters'), ('big', 'Board Italian Gamers'), ('rkm', 'RisiKo! Master'), ('privacy', 'my data and privacy'), ('portal', 'this portal')], default='pgm', max_length=7, verbose_name='office')),
                ('page', models.CharField(blank=True, max_length=200, verbose_name='page that it is about')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('language', models.CharField(choices=[('it', 'Italian'), ('en', 'English'), ('es', 'Spanish')], max_length=2, verbose_name='language')),
                ('text', models.TextField(max_length=4000, verbose_name='what was written')),
                ('state', models.CharField(choices=[('received', 'received'), ('looked_at', 'being looked at'), ('answered', 'answered'), ('closed', 'closed')], default='received', max_length=9, verbose_name='state')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('sent_at', models.DateTimeField(auto_now_add=True, verbose_name='sent')),
                ('due_on', models.DateField(verbose_name='to be answered by')),
                ('answer', models.TextField(blank=True, max_length=4000, verbose_name='answer')),
                ('finding', models.TextField(blank=True, max_length=500, verbose_name='outcome in public')),
                ('answered_at', models.DateTimeField(blank=True, null=True, verbose_name='answered')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('handled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='handled by')),
                ('revision', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='cases', to='stages.revision', verbose_name='correction that came of it')),
                ('sent_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='sent by')),
            ],
            options={
                'verbose_name': 'complaint or question',
                'verbose_name_plural': 'complaints and questions',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='DataRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('access', 'to know what is kept (access)'), ('portability', 'to have the data as a file (portability)'), ('rectification', 'to have them corrected (rectification)'), ('erasure', 'to be deleted (erasure)')], max_length=13, verbose_name='what is asked')),
                ('way', models.CharField(choices=[('mail', 'by e-mail'), ('letter', 'by letter'), ('phone', 'by phone'), ('spoken', 'in person'), ('form', "by the portal's form")], max_length=6, verbose_name='how it was asked')),
                ('asked_on', models.DateField(verbose_name='asked on')),
                ('due_on', models.DateField(verbose_name='due on')),
                ('note', models.TextField(blank=True, max_length=1000, verbose_name='note')),
                ('state', models.CharField(choices=[('open', 'open'), ('done', 'done'), ('refused', 'refused')], default='open', max_length=7, verbose_name='state')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('noted_at', models.DateTimeField(auto_now_add=True, verbose_name='noted')),
                ('settled_at', models.DateTimeField(blank=True, null=True, verbose_name='settled')),
                ('reason', models.TextField(blank=True, max_length=2000, verbose_name='why it was refused')),
                ('noted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='noted by')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='data_requests', to='players.player', verbose_name='player')),
                ('settled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='settled by')),
            ],
            options={
                'verbose_name': 'request about personal data',
                'verbose_name_plural': 'requests about personal data',
                'ordering': ['due_on', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message_id', models.CharField(max_length=120, unique=True, verbose_name='Message-ID')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('skipped', 'did not want it any more'), ('refused', "refused by the recipient's server"), ('failed', 'given up after several tries')], default='waiting', max_length=7, verbose_name='state')),
                ('at', models.DateTimeField(blank=True, null=True, verbose_name='when')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='office.campaign', verbose_name='newsletter')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='newsletters', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'mail of a newsletter',
                'verbose_name_plural': 'mails of newsletters',
                'ordering': ['campaign', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Export',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(auto_now_add=True, verbose_name='asked')),
                ('made_at', models.DateTimeField(blank=True, null=True, verbose_name='made')),
                ('what', models.CharField(max_length=20, verbose_name='what')),
                ('language', models.CharField(choices=[('it', 'Italian'), ('en', 'English'), ('es', 'Spanish')], max_length=2, verbose_name='language')),
                ('rows', models.JSONField(blank=True, default=dict, verbose_name='rows in each table')),
                ('content', models.BinaryField(blank=True, null=True, verbose_name='file')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('job', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='core.job', verbose_name='waiting step')),
                ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='exports', to='stages.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'export',
                'verbose_name_plural': 'exports',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Happening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=60, unique=True, verbose_name='the row that it stands in')),
                ('what', models.CharField(choices=[('results', 'results in force'), ('published', 'rankings published'), ('added', 'stage added'), ('moved', 'stage moved'), ('cancelled', 'stage cancelled'), ('put_back', 'stage put back')], max_length=9, verbose_name='what')),
                ('found_at', models.DateTimeField(auto_now_add=True, verbose_name='found')),
                ('publication', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='publishing.publication', verbose_name='publication')),
                ('revision', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='stages.revision', verbose_name='revision')),
                ('stage', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='stages.stage', verbose_name='stage')),
            ],
            options={
                'verbose_name': 'event told by e-mail',
                'verbose_name_plural': 'events told by e-mail',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='MailKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=pergioco.core.fields.random_id, editable=False, max_length=32, unique=True, verbose_name='key')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='mail_key', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'key of the links in mail',
                'verbose_name_plural': 'keys of the links in mail',
            },
        ),
        migrations.CreateModel(
            name='Page',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='page')),
                ('png', models.BinaryField(verbose_name='picture')),
                ('brochure', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='shown', to='office.brochure', verbose_name='brochure')),
            ],
            options={
                'verbose_name': 'page of a brochure',
                'verbose_name_plural': 'pages of brochures',
                'ordering': ['brochure', 'number'],
            },
        ),
        migrations.CreateModel(
            name='PrizeList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ranking', models.CharField(max_length=80, verbose_name='ranking')),
                ('text_it', models.TextField(max_length=2000, verbose_name='prizes in Italian')),
                ('text_en', models.TextField(max_length=2000, verbose_name='prizes in English')),
                ('text_es', models.TextField(max_length=2000, verbose_name='prizes in Spanish')),
                ('state', models.CharField(choices=[('draft', 'draft'), ('announced', 'announced')], default='draft', max_length=9, verbose_name='state')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('announced_at', models.DateTimeField(blank=True, null=True, verbose_name='announced')),
                ('changed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='changed by')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='prizes', to='stages.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'list of prizes',
                'verbose_name_plural': 'lists of prizes',
                'ordering': ['-season__year', 'ranking'],
            },
        ),
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('results', 'Results of stages that I played, and my PGR after them'), ('rankings', 'New versions of the rankings'), ('race', 'Points of a Race stage'), ('added', 'A stage comes onto the calendar: registration can begin'), ('moved', 'A stage is moved, cancelled or put back'), ('game', 'A game that I follow'), ('player', 'A player whom I follow')], max_length=8, verbose_name='about')),
                ('pace', models.CharField(choices=[('now', 'at once'), ('daily', 'once a day')], default='now', max_length=5, verbose_name='how often')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='since')),
                ('followed', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='followers', to='players.player', verbose_name='player followed')),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='stages.game', verbose_name='only of this game')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='subscriptions', to='players.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'wish for notices by e-mail',
                'verbose_name_plural': 'wishes for notices by e-mail',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('due_at', models.DateTimeField(verbose_name='due')),
                ('mailed_at', models.DateTimeField(blank=True, null=True, verbose_name='sent')),
                ('happening', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='office.happening', verbose_name='event told by e-mail')),
                ('subscription', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='office.subscription', verbose_name='wish for notices by e-mail')),
            ],
            options={
                'verbose_name': 'notice by e-mail',
                'verbose_name_plural': 'notices by e-mail',
                'ordering': ['id'],
            },
        ),
        migrations.AddConstraint(
            model_name='brochure',
            constraint=models.UniqueConstraint(condition=models.Q(('published_at__isnull', False)), fields=('season', 'kind', 'about', 'language'), name='one_published_brochure_of_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='brochure',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['season', 'ranking'])), name='brochure_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='brochure',
            constraint=models.CheckConstraint(condition=models.Q(('made_at', None), models.Q(('pdf__isnull', False), models.Q(('sha256', ''), _negated=True)), _connector='OR'), name='brochure_done_has_its_bytes'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'held', 'sending', 'sent', 'stopped'])), name='campaign_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'stopped']), ('leaves_at__isnull', False), _connector='OR'), name='campaign_leaves_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['received', 'looked_at', 'answered', 'closed'])), name='case_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', False), ('state', 'answered')), models.Q(('state', 'answered'), _negated=True), _connector='OR'), name='answered_case_says_when'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', False), ('state', 'closed')), models.Q(models.Q(('state', 'closed'), _negated=True), ('closed_at', None)), _connector='OR'), name='closed_case_says_when'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'question'), ('language__in', ['it', 'en']), _connector='OR'), name='complaints_in_italian_or_english'),
        ),
        migrations.AddConstraint(
            model_name='datarequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('settled_at', None), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('settled_at__isnull', False)), _connector='OR'), name='settled_data_request_says_when'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['campaign', 'id'], name='delivery_waiting'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(fields=('campaign', 'player'), name='one_mail_a_person_and_newsletter'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'sent', 'skipped', 'refused', 'failed'])), name='delivery_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='export',
            constraint=models.CheckConstraint(condition=models.Q(('made_at', None), ('content__isnull', False), _connector='OR'), name='export_done_has_its_bytes'),
        ),
        migrations.AddConstraint(
            model_name='page',
            constraint=models.UniqueConstraint(fields=('brochure', 'number'), name='page_once_a_brochure'),
        ),
        migrations.AddConstraint(
            model_name='prizelist',
            constraint=models.UniqueConstraint(fields=('season', 'ranking'), name='ranking_has_one_list_of_prizes'),
        ),
        migrations.AddConstraint(
            model_name='prizelist',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('announced_at', None), ('state', 'draft')), models.Q(('announced_at__isnull', False), ('state', 'announced')), _connector='OR'), name='announced_prizes_say_when'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['results', 'rankings', 'race', 'added', 'moved', 'game', 'player'])), name='subscription_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(('pace__in', ['now', 'daily'])), name='subscription_pace_is_known'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('followed__isnull', False), ('game', None), ('kind', 'player')), models.Q(('followed', None), ('game__isnull', False), ('kind', 'game')), models.Q(models.Q(('kind__in', ['player', 'game']), _negated=True), ('followed', None)), _connector='OR'), name='subscription_says_whom_it_follows'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.UniqueConstraint(condition=models.Q(('followed', None), ('game', None)), fields=('player', 'kind'), name='one_wish_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.UniqueConstraint(condition=models.Q(('game__isnull', False)), fields=('player', 'kind', 'game'), name='one_wish_a_kind_and_game'),
        ),
        migrations.AddConstraint(
            model_name='subscription',
            constraint=models.UniqueConstraint(condition=models.Q(('followed__isnull', False)), fields=('player', 'followed'), name='one_wish_a_player_followed'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('mailed_at', None)), fields=['due_at'], name='notice_waiting'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('happening', 'subscription'), name='one_notice_a_wish'),
        ),
    ]
