"""Under which release, session kind and limits was judged, and where each of them came from, in words."""

from __future__ import annotations

from bootlint.typed import TYPE_CHECKING
from bootlint.wording import Language, phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bootlint.openclaw.contract import Contract
    from bootlint.openclaw.settings import Origin
    from bootlint.simulation import Situation


def basis_lines(
    situations: Iterable[Situation], language: Language, *, verbose: bool = False
) -> Iterator[str]:
    """One line a situation, more where the release is not on record; `verbose` names the agent too."""
    for situation in situations:
        contract = situation.contract
        total = situation.total_limit
        yield phrase(
            "basis-without-total" if total is None else "basis",
            language,
            release=contract.release,
            release_origin=origin_words(situation.origins["openclaw"], language),
            limit=situation.limit,
            limit_origin=origin_words(situation.origins["max-chars"], language),
            total=0 if total is None else total,
            total_origin=origin_words(situation.origins["total-max-chars"], language),
            session=situation.session,
        )
        yield from assumed_lines([contract], language)
        if situation.extra_files:
            yield phrase("extra-files", language, files=situation.extra_files)
        if verbose and situation.agent is not None:
            yield phrase("agent", language, agent=situation.agent)


def assumed_lines(contracts: Iterable[Contract], language: Language) -> Iterator[str]:
    """One for each release that is not on record, with the one that stands in for it."""
    for contract in contracts:
        if contract.assumed:
            yield phrase("assumed", language, release=contract.release, known=contract.known_as)


def origin_words(origin: Origin, language: Language) -> str:
    """Where a value comes from, in words. Documents for programs have them in English."""
    return phrase(f"origin-{origin.kind}", language, name=origin.key, release=origin.release)
