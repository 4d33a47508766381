"""How every model stands in the admin: each change writes our audit row, a foreign object does not exist."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn, cast

from django.contrib import admin, messages
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import models, transaction
from django.forms import BaseModelForm
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from pergioco.players import audit
from pergioco.players.models import AuditEntry, Player, User
from pergioco.players.policy import Role, has_role
from pergioco.players.refusal import Refused

LONGEST_NUMBER = 18  # digits: whatever is longer fits no column of a database

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
    Form = BaseModelForm[Any]
else:
    ModelAdmin, TabularInline, Form = admin.ModelAdmin, admin.TabularInline, BaseModelForm


def player_of(row: models.Model) -> Player | None:
    """Whom the row is about: their history shows it, and their erasure destroys its values."""
    if isinstance(row, Player):
        return row
    owner = getattr(row, "person", None) if isinstance(row, User) else row
    return getattr(owner, "player", None)


def changes_of(form: Form) -> dict[str, list[str]]:
    return {name: [text(form[name].initial), text(form.cleaned_data.get(name))] for name in form.changed_data}


def text(value: Any) -> str:
    if isinstance(value, models.QuerySet | list | tuple):
        return ", ".join(text(one) for one in value)
    return str(value.pk if isinstance(value, models.Model) else "" if value is None else value)


def numbers(values: Any) -> list[str]:
    """A choice that is no number is refused in words when the form is shown again: Django's own widgets break there."""
    return [one for one in values if one.isdecimal() and len(one) <= LONGEST_NUMBER]


class OneOfMany(AutocompleteSelect):
    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        return super().optgroups(name, numbers(value), attr)


class SomeOfMany(AutocompleteSelectMultiple):
    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        return super().optgroups(name, numbers(value), attr)


class AuditedAdmin(ModelAdmin):
    list_per_page = 50
    show_full_result_count = False
    view_on_site: Any = False
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    object_history_template = "admin/audit_history.html"
    deletable = False  # people are erased by a use-case, and what is published stays

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.deletable and super().has_delete_permission(request, obj)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", OneOfMany(db_field, self.admin_site))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", SomeOfMany(db_field, self.admin_site))
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def _get_obj_does_not_exist_redirect(self, request: HttpRequest, opts: Any, object_id: str) -> NoReturn:
        raise Http404

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        """Django calls this last, in the transaction of the whole form."""
        note(request, form, added=not change)
        for formset in formsets:
            for gone in formset.deleted_forms if formset.can_delete else []:
                record(request, "deleted", gone.instance, {"name": [str(gone.instance), ""]})
        super().save_related(request, form, formsets, change)
        for formset in formsets:
            changed = [row for row, _fields in formset.changed_objects]
            for row_form in formset.forms:
                if row_form.instance in (*formset.new_objects, *changed):
                    note(request, row_form, added=row_form.instance in formset.new_objects)

    def delete_model(self, request: HttpRequest, obj: models.Model) -> None:
        record(request, "deleted", obj, {"name": [str(obj), ""]})
        super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_model(request, row)

    # Django's own log would keep names for ever; the history page reads the audit log instead.
    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> None:  # type: ignore[override]
        """Nothing: `save_related` has written the audit row."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> None:  # type: ignore[override]
        """Nothing: `save_related` has written the audit row."""

    def log_deletions(self, request: HttpRequest, queryset: Any) -> None:  # type: ignore[override]
        """Nothing: `delete_model` has written the audit row."""

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        rows = AuditEntry.objects.filter(object_type=self.opts.label_lower, object_id=object_id).select_related("actor")
        context = {
            **self.admin_site.each_context(request),
            "page": Paginator(rows, self.list_per_page).get_page(request.GET.get("page")),
            "shows_who": has_role(request.user, Role.STAFF),
            "module_name": self.opts.verbose_name_plural,
            "object": row,
            "opts": self.opts,
        }
        return TemplateResponse(request, self.object_history_template, context)


def note(request: HttpRequest, form: Form, *, added: bool) -> None:
    if form.has_changed():
        record(request, "added" if added else "changed", form.instance, changes_of(form))


def record(request: HttpRequest, act: str, row: models.Model, changes: dict[str, list[str]]) -> None:
    action = f"{row._meta.model_name}.{act}"
    audit.record(action, row, by=cast("User", request.user), player=player_of(row), changes=changes)


def counted(
    admin_: AuditedAdmin, request: HttpRequest, rows: models.QuerySet[Any], sentence: str, act: Callable[[Any], object]
) -> HttpResponse | None:
    """First a page whose one button says what is about to happen to how many (`sentence`); then it happens. What a
    use-case refuses stays as it is, and its sentence is shown: the others are done."""
    if "sure" not in request.POST:
        context = {
            **admin_.admin_site.each_context(request),
            "opts": admin_.opts,
            "title": sentence,
            "rows": rows,
            "action": request.POST["action"],
        }
        return TemplateResponse(request, "admin/counted.html", context)
    done = sum(carried_out(request, row, act) for row in rows)
    messages.success(request, _("%(sentence)s: %(n)s done.") % {"sentence": sentence, "n": done})
    return None


def carried_out(request: HttpRequest, row: models.Model, act: Callable[[Any], object]) -> bool:
    try:
        act(row)
    except Refused as refused:
        messages.warning(request, f"{row}: {refused.sentence}")
        return False
    return True


class ReadOnlyAdmin(AuditedAdmin):
    """To look things up. What writes these rows is a page of the desk, or the portal itself."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyInline(TabularInline):
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def staff_only(fields: Iterable[str], request: HttpRequest) -> tuple[str, ...]:
    """These fields, for those who are not staff."""
    return () if has_role(request.user, Role.STAFF) else tuple(fields)
