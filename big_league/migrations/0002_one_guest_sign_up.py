import django.db.models.functions.text
from django.db import migrations, models


def refuse_doubles(apps, _schema_editor):
    """Which of two is meant, only people know."""
    signups = apps.get_model("big_league", "SignUp").objects.filter(player=None, left_at=None)
    seen = {}
    for row in signups.exclude(email="").exclude(birth_date=None).order_by("pk"):
        names = (row.email.lower(), row.last_name.lower(), row.first_name.lower(), row.birth_date)
        first = seen.setdefault((row.event_id, *names), row.pk)
        if first != row.pk:
            raise ValueError(
                f"Of the tournament {row.event_id} the sign-ups {first} and {row.pk} are the same "
                "guest. Take one of them off the list, with the version before, then migrate again."
            )


class Migration(migrations.Migration):

    dependencies = [
        ('big_league', '0001_initial'),
        ('players', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(refuse_doubles, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name='signup',
            constraint=models.UniqueConstraint(models.F('event'), django.db.models.functions.text.Lower('email'), django.db.models.functions.text.Lower('last_name'), django.db.models.functions.text.Lower('first_name'), models.F('birth_date'), condition=models.Q(('left_at', None), ('player', None), models.Q(('email', ''), _negated=True)), name='guest_signs_up_once_an_event'),
        ),
    ]
