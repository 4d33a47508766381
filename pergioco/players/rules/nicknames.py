"""When a nickname may change."""

from pergioco.rulekit.paragraph import paragraph


@paragraph("PGM", 7)
def player_may_rename(*, season_is_running: bool, account_is_registered: bool) -> bool:
    """Inside a running season only staff record a rename; before the account counts, a slip may be mended."""
    return not (season_is_running and account_is_registered)
