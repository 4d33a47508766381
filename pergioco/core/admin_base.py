"""Base classes of the admin: each change writes an audit row, objects of others answer 404."""

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

from pergioco.core import audit
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role, signed_in_user
from pergioco.core.refusal import Refused

LONGEST_NUMBER = 18  # digits that fit a database column

if TYPE_CHECKING:
    from pergioco.players.models import Player

    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
    Form = BaseModelForm[Any]
else:
    ModelAdmin, TabularInline, Form = admin.ModelAdmin, admin.TabularInline, BaseModelForm


def player_concerned(row: models.Model) -> "Player | None":
    """The player whose history shows the change and whose erasure deletes its values."""
    if row._meta.label == "players.Player":
        return cast("Player", row)
    owner = getattr(row, "person", None) if isinstance(row, User) else row
    return getattr(owner, "player", None)


def form_changes(form: Form) -> dict[str, list[str]]:
    return {
        name: [value_as_text(form[name].initial), value_as_text(form.cleaned_data.get(name))]
        for name in form.changed_data
    }


def value_as_text(value: Any) -> str:
    if isinstance(value, models.QuerySet | list | tuple):
        return ", ".join(value_as_text(one) for one in value)
    return str(value.pk if isinstance(value, models.Model) else "" if value is None else value)


def valid_numbers(values: Any) -> list[str]:
    # Django's own widgets fail on a choice that is no number
    return [one for one in values if one.isdecimal() and len(one) <= LONGEST_NUMBER]


class SafeAutocompleteSelect(AutocompleteSelect):
    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        return super().optgroups(name, valid_numbers(value), attr)


class SafeAutocompleteSelectMultiple(AutocompleteSelectMultiple):
    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        return super().optgroups(name, valid_numbers(value), attr)


class AuditedAdmin(ModelAdmin):
    list_per_page = 50
    show_full_result_count = False
    view_on_site: Any = False
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    object_history_template = "admin/audit_history.html"
    deletable = False  # people are erased by a use case, and published rows stay

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.deletable and super().has_delete_permission(request, obj)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", SafeAutocompleteSelect(db_field, self.admin_site))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs.setdefault("widget", SafeAutocompleteSelectMultiple(db_field, self.admin_site))
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> NoReturn:
        raise Http404

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        # Django calls this last, inside the transaction of the whole form
        record_form_changes(request, form, added=not change)
        for formset in formsets:
            for gone in formset.deleted_forms if formset.can_delete else []:
                record_admin_change(
                    request, "deleted", gone.instance, {"name": [str(gone.instance), ""]}
                )
        super().save_related(request, form, formsets, change)
        for formset in formsets:
            changed = [row for row, _fields in formset.changed_objects]
            for row_form in formset.forms:
                if row_form.instance in (*formset.new_objects, *changed):
                    record_form_changes(
                        request, row_form, added=row_form.instance in formset.new_objects
                    )

    def delete_model(self, request: HttpRequest, obj: models.Model) -> None:
        record_admin_change(request, "deleted", obj, {"name": [str(obj), ""]})
        super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> None:
        for row in queryset:
            self.delete_model(request, row)

    # Django's own log would keep names of erased people; the history page reads the audit log.
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
        rows = AuditEntry.objects.filter(
            object_type=self.opts.label_lower, object_id=object_id
        ).select_related("actor")
        context = {
            **self.admin_site.each_context(request),
            "page": Paginator(rows, self.list_per_page).get_page(request.GET.get("page")),
            "shows_who": has_role(request.user, Role.STAFF),
            "module_name": self.opts.verbose_name_plural,
            "object": row,
            "opts": self.opts,
        }
        return TemplateResponse(request, self.object_history_template, context)


def record_form_changes(request: HttpRequest, form: Form, *, added: bool) -> None:
    if form.has_changed():
        record_admin_change(
            request, "added" if added else "changed", form.instance, form_changes(form)
        )


def record_admin_change(
    request: HttpRequest, act: str, row: models.Model, changes: dict[str, list[str]]
) -> None:
    action = f"{row._meta.model_name}.{act}"
    audit.record(
        action, row, by=signed_in_user(request), player=player_concerned(row), changes=changes
    )


def confirm_bulk_action(
    admin_: AuditedAdmin,
    request: HttpRequest,
    rows: models.QuerySet[Any],
    sentence: str,
    act: Callable[[Any], object],
) -> HttpResponse | None:
    """Shows a confirmation page with the number of rows first, then acts on each row."""
    if "sure" not in request.POST:
        context = {
            **admin_.admin_site.each_context(request),
            "opts": admin_.opts,
            "title": sentence,
            "rows": rows,
            "action": request.POST["action"],
        }
        return TemplateResponse(request, "admin/counted.html", context)
    done = sum(run_or_warn(request, row, act) for row in rows)
    messages.success(request, _("%(sentence)s: %(n)s done.") % {"sentence": sentence, "n": done})
    return None


def run_or_warn(request: HttpRequest, row: models.Model, act: Callable[[Any], object]) -> bool:
    try:
        act(row)
    except Refused as refused:
        messages.warning(request, f"{row}: {refused.sentence}")
        return False
    return True


class ReadOnlyAdmin(AuditedAdmin):
    # Rows are written by pages of the desk or by the portal itself
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
    """These fields, for users who are not staff."""
    return () if has_role(request.user, Role.STAFF) else tuple(fields)
