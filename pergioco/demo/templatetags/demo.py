"""Shows the current second-factor code in the demo."""

from django import template
from django.contrib.auth.models import AnonymousUser

from pergioco.core.models import User
from pergioco.demo.logins import code_for

register = template.Library()


@register.simple_tag
def demo_code(user: User | AnonymousUser) -> str:
    """`user` is the one signing in: `{% demo_code view.stage.login.user as code %}`."""
    return code_for(getattr(user, "email", ""))
