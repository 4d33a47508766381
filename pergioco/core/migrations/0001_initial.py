import django.db.models.functions.text
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='CacheVersion',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('made_at', models.DateTimeField()),
                ('people', models.BigIntegerField(db_default=0, default=0)),
                ('play', models.BigIntegerField(db_default=0, default=0)),
                ('rest', models.BigIntegerField(db_default=0, default=0)),
            ],
            options={
                'verbose_name': 'version of cached pages',
                'verbose_name_plural': 'versions of cached pages',
            },
        ),
        migrations.CreateModel(
            name='LastRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40, unique=True, verbose_name='round')),
                ('at', models.DateTimeField(verbose_name='last run')),
            ],
            options={
                'verbose_name': 'last run of a round',
                'verbose_name_plural': 'last runs of rounds',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='OutgoingMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message_id', models.CharField(max_length=120, unique=True, verbose_name='Message-ID')),
                ('recipient', models.EmailField(max_length=254, verbose_name='recipient')),
                ('raw', models.BinaryField(verbose_name='message')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='written')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='sent or refused')),
                ('refused', models.BooleanField(default=False, verbose_name="refused by the recipient's server")),
            ],
            options={
                'verbose_name': 'outgoing mail',
                'verbose_name_plural': 'outgoing mail',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=60, verbose_name='kind')),
                ('arguments', models.JSONField(default=dict, verbose_name='arguments')),
                ('lane', models.CharField(choices=[('numbers', 'numbers'), ('outside', 'mail and platforms'), ('paper', 'PDF and exports')], default='numbers', max_length=7, verbose_name='queue')),
                ('is_bulk', models.BooleanField(default=False, verbose_name='after all others')),
                ('state', models.CharField(choices=[('queued', 'waiting'), ('leased', 'running'), ('done', 'done'), ('failed', 'failed')], default='queued', max_length=6, verbose_name='state')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='tries')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
                ('not_before', models.DateTimeField(verbose_name='not before')),
                ('leased_until', models.DateTimeField(blank=True, null=True, verbose_name='being run until')),
                ('done_at', models.DateTimeField(blank=True, null=True, verbose_name='done')),
                ('trouble', models.TextField(blank=True, verbose_name='trouble')),
                ('progress', models.PositiveIntegerField(default=0, verbose_name='progress')),
                ('progress_of', models.PositiveIntegerField(default=0, verbose_name='progress: of how many')),
                ('unique_key', models.CharField(blank=True, max_length=100, verbose_name='key')),
                ('group', models.CharField(blank=True, max_length=60, verbose_name='group')),
            ],
            options={
                'verbose_name': 'waiting step',
                'verbose_name_plural': 'waiting steps',
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['queued', 'leased'])), fields=['lane', 'is_bulk', 'id'], name='job_going_on')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'leased', 'done', 'failed'])), name='job_state_is_known'), models.CheckConstraint(condition=models.Q(('lane__in', ['numbers', 'outside', 'paper'])), name='job_lane_is_known'), models.CheckConstraint(condition=models.Q(('state', 'leased'), ('leased_until__isnull', True), _connector='XOR'), name='job_leased_until_a_time'), models.CheckConstraint(condition=models.Q(('state', 'done'), ('done_at__isnull', True), _connector='XOR'), name='job_done_at_a_time'), models.UniqueConstraint(condition=models.Q(('unique_key', ''), _negated=True), fields=('unique_key',), name='job_queued_once_a_key'), models.UniqueConstraint(condition=models.Q(('state', 'leased'), models.Q(('group', ''), _negated=True)), fields=('group',), name='job_of_a_group_one_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='e-mail')),
                ('language', models.CharField(choices=[('it', 'Italian'), ('en', 'English'), ('es', 'Spanish')], default='it', max_length=2, verbose_name='language')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'login',
                'verbose_name_plural': 'logins',
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='user_email_once_in_any_case')],
            },
        ),
    ]
