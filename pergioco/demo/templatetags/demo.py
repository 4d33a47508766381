"""Shows the code that is asked for, in the demo."""

from django import template
from django.contrib.auth.models import AnonymousUser

from pergioco.demo.codes import code_for
from pergioco.players.models import User

register = template.Library()


@register.inclusion_tag("demo/code.html")
def demo_code(user: User | AnonymousUser) -> dict[str, str]:
    """`user` is the one who is signing in: `{% demo_code view.stage.login.user %}`."""
    return {"code": code_for(getattr(user, "email", ""))}
