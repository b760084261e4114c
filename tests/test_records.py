"""Records do what frozen dataclasses do."""

from __future__ import annotations

import pickle
from functools import cached_property
from typing import TYPE_CHECKING

import pytest

from bootlint.records import field, record, replace

if TYPE_CHECKING:
    from collections.abc import Mapping


@record(order=True)
class Point:
    x: int
    y: int = 0


@record(lazy=True)
class Circle:
    """A record with something worked out later."""

    centre: Point
    radius: int
    labels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.radius < 0:
            raise ValueError("a radius is not negative")

    @cached_property
    def diameter(self) -> int:
        return 2 * self.radius


@record
class Nothing:
    pass


def test_fields_come_by_position_and_by_name_with_defaults() -> None:
    assert (Point(1).x, Point(1).y, Point(y=2, x=1).y) == (1, 0, 2)


@pytest.mark.parametrize("arguments", [(), (1, 2, 3)])
def test_wrong_number_of_fields_is_a_type_error(arguments: tuple[int, ...]) -> None:
    with pytest.raises(TypeError):
        Point(*arguments)


def test_unknown_field_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        replace(Point(1), z=1)


def test_nothing_can_be_changed_or_deleted_or_added() -> None:
    for name in ("x", "z"):
        with pytest.raises(AttributeError):
            setattr(Point(1), name, 2)
    with pytest.raises(AttributeError):
        delattr(Point(1), "x")


def test_a_pattern_takes_fields_by_position() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_equality_hash_order_and_text_are_those_of_the_fields() -> None:
    assert Point(1, 2) == Point(1, 2) != Point(2, 1)
    assert len({Point(1, 2), Point(1, 2)}) == 1
    assert sorted([Point(2), Point(1, 1), Point(1)]) == [Point(1), Point(1, 1), Point(2)]
    assert repr(Point(1)) == "Point(x=1, y=0)"
    assert Nothing() == Nothing()


def test_order_is_given_only_where_asked_for() -> None:
    with pytest.raises(TypeError):
        sorted([Nothing(), Nothing()])  # type: ignore[type-var]


def test_factories_make_a_default_for_each() -> None:
    first, second = Circle(Point(0), 1), Circle(Point(0), 1)
    assert first.labels == second.labels == {}
    assert first.labels is not second.labels


def test_post_init_runs_and_cached_properties_work() -> None:
    assert Circle(Point(0), 2).diameter == 4
    with pytest.raises(ValueError, match="not negative"):
        Circle(Point(0), -1)


def test_replace_and_pickle_give_equal_records_without_what_was_cached() -> None:
    circle = Circle(Point(0), 2)
    assert circle.diameter == 4
    assert replace(circle, radius=3).diameter == 6
    assert pickle.loads(pickle.dumps(circle)) == circle


def test_plain_records_have_no_room_for_other_attributes() -> None:
    assert not hasattr(Point(1), "__dict__")
