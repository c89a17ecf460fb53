"""Tables whose cells are parted by commas, semicolons or tabs."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import IO, Final

from palimpsest.adapters.documents import rows
from palimpsest.adapters.documents.bytes_as_text import encoding_of, lines_of
from palimpsest.domain.errors import Unreadable
from palimpsest.domain.library.blocks import Block, Reading
from palimpsest.ports.document_reader import Endings

_DELIMITERS: Final = ",;\t|"
_SAMPLE_ROWS: Final = 50
_BLOCK_ROWS: Final = 200
_NUMBER: Final = re.compile(r"[-+]?[\d\s.,:/%€$-]*\d[\d\s.,:/%€$-]*")

Row = list[str]


class CsvReader:
    """Reads a table row by row; the delimiter is the one that parts the first rows most evenly."""

    endings: Endings = MappingProxyType({"csv": "text/csv", "tsv": "text/tab-separated-values"})

    def read(self, file: IO[bytes]) -> Reading:
        return Reading(None, _blocks(file))


def _blocks(file: IO[bytes]) -> Iterator[Block]:
    encoding = encoding_of(file)
    sample = list(islice(lines_of(file, encoding), _SAMPLE_ROWS))
    read = _rows(lines_of(file, encoding), _delimiter(sample))
    try:
        first = list(islice(read, _SAMPLE_ROWS))
        if not first:
            raise Unreadable("empty")
        head = first.pop(0) if _is_head(first[0]) else None
        body = chain(first, read)
        if head is not None and rows.are_wide(first):
            yield from (rows.record(zip(head, row, strict=False)) for row in body)
            return
        some = list(islice(body, _BLOCK_ROWS))
        yield rows.table(some, head)
        while some := list(islice(body, _BLOCK_ROWS)):
            yield rows.table(some, head)
    except csv.Error as error:
        raise Unreadable("damaged") from error


def _rows(lines: Iterator[str], delimiter: str) -> Iterator[Row]:
    for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True):
        if any(cell.strip() for cell in row):
            yield row


def _delimiter(lines: Sequence[str]) -> str:
    return max(_DELIMITERS, key=lambda delimiter: _evenness(lines, delimiter))


def _evenness(lines: Sequence[str], delimiter: str) -> tuple[float, int]:
    """How many of the rows have the most frequent width, when that is more than one cell; then that width."""
    try:
        widths = Counter(map(len, _rows(iter(lines), delimiter)))
    except csv.Error:
        return 0.0, 0
    width, count = widths.most_common(1)[0] if widths else (0, 0)
    return (count / widths.total(), width) if width > 1 else (0.0, 0)


def _is_head(row: Row) -> bool:
    names = [cell.strip() for cell in row]
    return len(set(names)) == len(names) and all(name and not _NUMBER.fullmatch(name) for name in names)
