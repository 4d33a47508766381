"""Reading that takes long, and must tell of one moment."""

from django.db import connection


def hold_still() -> None:
    """Until the end of the transaction, of which it must be the first word, nothing that others write is seen. SQLite
    does so by itself."""
    if connection.vendor == "postgresql" and not connection.savepoint_ids:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
