import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('big_league', '0001_initial'),
        ('players', '0001_initial'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='signup',
            constraint=models.UniqueConstraint(models.F('event'), django.db.models.functions.text.Lower('email'), django.db.models.functions.text.Lower('last_name'), django.db.models.functions.text.Lower('first_name'), models.F('birth_date'), condition=models.Q(('left_at', None), ('player', None), models.Q(('email', ''), _negated=True)), name='guest_signs_up_once_an_event'),
        ),
    ]
