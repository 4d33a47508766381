"""`{{ entry.action|action_words }}`, `{{ entry.role|role_words }}`, `{% for change in entry|changes_in_words %}`."""

from django import template

from pergioco.players import audit_words

register = template.Library()
register.filter("action_words", audit_words.action_words)
register.filter("role_words", audit_words.role_words)
register.filter("changes_in_words", audit_words.changes_in_words)
