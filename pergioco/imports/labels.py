"""The notes of the readers in words: one sentence a code, first what happened, then what to do."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pergioco.imports.canonical import Note

REFUSED: dict[str, str | Promise] = {
    "bad_opponent": _(
        "“%(text)s” stands where the number of an opponent belongs. Compare the line."
    ),
    "bad_player_number": _("The line of a player has no start number. Was the file cut or edited?"),
    "bad_points": _("“%(text)s” stands where points belong. Compare it with the source."),
    "bad_rank": _("“%(text)s” stands where a place belongs. Compare the line."),
    "bad_sheet_cell": _(
        "The result of %(player)s in round %(round)s cannot be read: “%(text)s”. Type the results "
        "instead."
    ),
    "bad_winner": _(
        "A game names as winner “%(text)s”, which is no player. Ask the organizer there to put it "
        "right, "
        "or type the results."
    ),
    "columns_missing": _(
        "These columns are missing: %(columns)s. Use the headings of the template."
    ),
    "cut_lines": _(
        "The file breaks off in its last line: the download was cut. Download it again."
    ),
    "empty_file": _("There is nothing in it. Choose another file, or paste the results."),
    "file_too_big": _("This is larger than %(megabytes)s MB. Send the results of one stage only."),
    "no_games": _("There are no games in it. Copy the page that shows the results of each round."),
    "no_players": _("There are no players in it. Was the tournament played?"),
    "no_round_heading": _(
        "It does not say which round this is. Copy the page from its title downwards."
    ),
    "no_rounds": _("The rounds were not found. Copy the whole page, from its title to its end."),
    "no_summary_line": _(
        "The first line is not the summary of the tournament. Copy the whole text."
    ),
    "not_a_table": _(
        "This is not a table that can be read. Save it as CSV again, or use the template."
    ),
    "not_a_workbook": _(
        "This is not a workbook that can be read. Save it again as XLSX, or save its sheet as CSV."
    ),
    "not_finished": _(
        "The tournament is not finished on the platform. Come back when it has ended."
    ),
    "not_json": _("This is not what the platform sends. Download the file again."),
    "not_text": _("This is not text. Choose the file that the platform or your spreadsheet saved."),
    "nothing_typed": _("There is no game in it. Write one game a line: Anna 1-0 Bruno."),
    "player_without_name": _("The line of a player has no name. Was the file cut or edited?"),
    "reader_gone": _(
        "This was read in a way that the portal no longer knows. Read it another way."
    ),
    "standings_only": _(
        "This file has the standings but not the games. The PGR needs the games: get the TRF file, "
        "or give the link."
    ),
    "team_trf": _("This is the file of a team tournament. Stages are played one against one."),
    "too_large": _(
        "The tournament is too large to be asked for page by page. Upload its TRF file."
    ),
    "too_many_rows": _("There are more than %(most)s rows. Send the results of one stage only."),
    "unexpected_shape": _(
        "The file is built in another way than expected. Download it again, or choose what it is."
    ),
    "unexpected_ending": _(
        "No results are read from files with this ending. They end in %(endings)s."
    ),
    "workbook_with_macros": _("The workbook holds macros. Save it as XLSX without macros."),
    "zip_bomb": _("The file would unpack to far more than a stage holds, so it was not opened."),
}
TROUBLE: dict[str, str | Promise] = {
    "contradicts": _(
        "%(a)s and %(b)s: another result stands in line %(first)s. Keep one of the two."
    ),
    "contradicts_somewhere": _(
        "%(a)s and %(b)s stand there with two different results. Keep one of the two."
    ),
    "counts_differ": _(
        "The platform counts %(said)s %(what)s, %(read)s were read. Fetch it again: it may have "
        "changed meanwhile."
    ),
    "game_still_open": _("%(a)s and %(b)s have no result yet. Wait for it, or type the result."),
    "nickname_too_long": _(
        "“%(nickname)s” is longer than a nickname can be. Is the line split wrongly?"
    ),
    "no_final_newline": _("The file ends in the middle of a line: it was cut. Get it again."),
    "not_understood": _("This was not understood: “%(text)s”. Mend the line, or take it out."),
    "opponent_of_nobody": _("%(player)s has a bye or is absent, and an opponent. Which is right?"),
    "opponents_without_line": _(
        "Opponents with the numbers %(numbers)s have no line of their own."
    ),
    "other_platform": _(
        "This comes from %(source)s, and the stage is on %(platform)s. Which is right?"
    ),
    "player_missing": _("One of the two players is missing. Fill in the name."),
    "player_twice": _(
        "%(player)s plays twice in round %(round)s: see line %(first)s too. Which is right?"
    ),
    "player_twice_somewhere": _("%(player)s plays twice in round %(round)s. Which is right?"),
    "players_missing": _(
        "The file announces %(announced)s players and lists %(read)s. Was it cut?"
    ),
    "plays_against_oneself": _(
        "%(player)s would play against the same name. Who was the opponent?"
    ),
    "points_differ": _("%(player)s: the file prints %(printed)s points, the results give %(sum)s."),
    "result_is_a_date": _(
        "“%(text)s” is a date: the spreadsheet changed a result such as 1/2 or 1-1. Write 0.5-0.5, "
        "as in the template."
    ),
    "result_not_understood": _(
        "“%(text)s” is not a result. Write 1-0, 0-1, 0.5-0.5, 1-0F, 0-1F or BYE."
    ),
    "result_unknown": _(
        "The platform does not say who won, %(a)s or %(b)s. Look at the game and type it."
    ),
    "round_is_no_number": _("“%(text)s” is not the number of a round. Write 1, 2, 3…"),
    "round_out_of_range": _("Round %(round)s: rounds are numbered from 1 to %(most)s."),
    "sides_disagree": _(
        "The two sides of a game in round %(round)s do not agree: %(a)s has “%(a_says)s”, %(b)s "
        "has “%(b_says)s”."
    ),
    "sides_do_not_mirror": _(
        "%(players)s: the two sides of this game in round %(round)s do not agree."
    ),
    "stage_without_platform": _(
        "The stage does not say on which platform it is played, so nicknames cannot be matched. "
        "Staff set it."
    ),
    "too_many_at_a_table": _("%(players)s sit at one table. A stage is played by two."),
    "two_lines_of_a_player": _("Number %(number)s has two lines that differ. Keep the right one."),
}
GOOD_TO_KNOW: dict[str, str | Promise] = {
    "abandoned": _("%(a)s and %(b)s abandoned their game: it does not count."),
    "arbitrated": _("Round %(round)s, %(a)s and %(b)s: decided by the organizer there."),
    "arena_points": _("The points of an arena are not points of games. Only the games are used."),
    "byes_not_on_page": _("This page does not show byes and absences: add them if there were any."),
    "disqualified_there": _("%(player)s was disqualified on the platform. The games are kept."),
    "game_without_result": _("A game of %(a)s and %(b)s was broken off without result: left out."),
    "grouped_as_match": _(
        "Round %(round)s: %(a)s and %(b)s played %(games)s games, taken as one match."
    ),
    "look_alike_nicknames": _(
        "These nicknames look alike and are different accounts: %(nicknames)s."
    ),
    "match_result_doubled": _(
        "%(a)s and %(b)s played a match: the page shows its result, not the single games."
    ),
    "match_score_unknown": _(
        "Round %(round)s, %(a)s and %(b)s: the score of their match is not given."
    ),
    "name_changed": _("%(new)s was called %(old)s in some games: the same account."),
    "no_event_header": _("A game does not say which event it belongs to. Is it one of this stage?"),
    "no_game_in_round": _(
        "%(player)s has no game in round %(round)s: a bye, or absent? See below."
    ),
    "no_round_numbers": _("There are no round numbers in it: rounds are proposed below."),
    "no_row_in_round": _("%(player)s has no row in round %(round)s: a bye, or absent? See below."),
    "no_show_suspected": _("Round %(round)s: %(player)s seems not to have come. See below."),
    "no_shows_not_visible": _("The page does not show who did not come: it is asked below."),
    "no_timeout_information": _("The platform does not tell here which games ended on time."),
    "not_entered": _("%(player)s has games and is not on the list of entries there."),
    "points_compared": _("The two numbers of each table were compared: the greater one wins."),
    "read_as_cp1252": _("The file is in an old encoding: look whether accents came out right."),
    "repeated": _("The game of %(a)s and %(b)s stands there twice and was read once."),
    "repeated_player": _("The line of number %(number)s stands there twice and was read once."),
    "round_as_text": _("A round is written as text, “%(text)s”, and was read as its number."),
    "skipped_taken_as_bye": _("“Skipped” was read as a bye: see below."),
    "timeout_taken_as_forfeit": _(
        "Tables that were never begun are proposed as absences: see below."
    ),
    "trf_lowercase_ids": _("PlayStrategy writes nicknames in small letters into this file."),
    "trf_no_forfeit_info": _("This file does not tell who did not come: it is asked below."),
    "unknown_nickname": _("“%(nickname)s” is not a nickname that the portal knows."),
    "unknown_user_id": _("The platform does not know the name of the player with the id %(id)s."),
}
SENTENCES = REFUSED | TROUBLE | GOOD_TO_KNOW


class Values(dict[str, str]):
    """A value that the reader did not give is left empty."""

    def __missing__(self, key: str) -> str:
        return ""


def note_sentence(note: Note) -> str:
    values = Values({name: value_words(value) for name, value in note.values.items()})
    sentence = str(SENTENCES[note.code]) % values
    if note.line is None:
        return sentence
    return gettext("Line %(line)s: %(sentence)s") % {"line": note.line, "sentence": sentence}


def value_words(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(
        {
            "players": gettext("players"),
            "byes": gettext("byes"),
            "absences": gettext("absences"),
        }.get(str(value), value)
    )
