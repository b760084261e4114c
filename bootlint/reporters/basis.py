"""Under which release, session kind and limits was judged, and where each of them came from, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bootlint.wording import Language, phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
            release_origin=situation.origins["openclaw"],
            limit=situation.limit,
            limit_origin=situation.origins["max-chars"],
            total=0 if total is None else total,
            total_origin=situation.origins["total-max-chars"],
            session=situation.session,
        )
        if contract.assumed:
            yield phrase("assumed", language, release=contract.release, known=contract.known_as)
        if verbose and situation.agent is not None:
            yield phrase("agent", language, agent=situation.agent)
