"""The order in which stages count, the same on every database."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Func
from django.db.models.sql.compiler import SQLCompiler


class Bytewise(Func):
    """A text in the order of its bytes, as Python sorts it: PostgreSQL may sort by the habits of a language."""

    arity = 1
    template = "%(expressions)s"

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template='%(expressions)s COLLATE "C"', **context)
