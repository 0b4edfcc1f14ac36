"""The questions that are true of rows, found by their conditions.

No matrix of rows and questions is held: Goodman's way of saving space (2002, section 2.2.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from wsdlist.data.arrays import Ints, Pairs, join, numbered, stable_order


class Conjunctions:
    """The index of questions by the conditions they are made of.

    Questions are grouped by *template*, the attributes of their conditions. In a template a
    question is found level by level: the first two conditions make a key that is looked up among
    sorted keys, the number found there and the third condition make the next key, and so on.

    Parameters
    ----------
    members
        ``(n_questions, n)`` condition numbers, ascending in a row, filled up with -1.
    attributes
        ``(n_conditions,)`` the attribute of each condition, see :class:`QuestionMatrix`.
    """

    def __init__(self, members: Ints, attributes: Ints) -> None:
        self.attributes = attributes
        self.base = max(len(attributes), 1)
        sizes = (members >= 0).sum(axis=1)
        self.always = np.flatnonzero(sizes == 0)  # TRUE, should somebody ask it
        singles = np.flatnonzero(sizes == 1)
        self.single = np.full(len(attributes), -1)
        self.single[members[singles, 0]] = singles
        self.templates: list[tuple[tuple[int, ...], list[Ints], Ints]] = []
        for size in range(2, members.shape[1] + 1):
            questions = np.flatnonzero(sizes == size)
            of_size = members[questions, :size]
            templates, which = np.unique(attributes[of_size], axis=0, return_inverse=True)
            which = which.reshape(-1)
            for number, template in enumerate(templates):
                chosen = which == number
                levels, prefix = [], of_size[chosen, 0]
                for column in of_size[chosen, 1:].T:
                    keys, prefix = numbered(prefix * self.base + column)
                    levels.append(keys)
                order = np.empty(len(levels[-1]), dtype=np.int64)
                order[prefix] = questions[chosen]
                self.templates.append((tuple(template.tolist()), levels, order))

    def find(self, conditions: csr_array) -> Iterator[Pairs]:
        """Yield the ``(rows, questions)`` that are true, a template at a time.

        ``conditions`` is the ``(n_rows, n_conditions)`` matrix with sorted indices.

        Each question true of a row is found exactly once. It belongs to one template. On each
        level a prefix of its members, which are ascending, meets every condition of the next
        attribute that is true of the row; one of these is the next member. Prefix and condition
        make the key in one way (``condition < base``), and equal prefixes have one number. So by
        induction the row and each prefix of k members meet once. If a template has an attribute
        twice, several of its conditions are true of a row, and two of them come in both orders;
        only the ascending order counts.
        """
        n_rows = conditions.shape[0]
        rows = np.repeat(np.arange(n_rows), np.diff(conditions.indptr))
        columns = conditions.indices.astype(np.int64)
        for question in self.always:
            yield np.arange(n_rows), np.full(n_rows, question)
        singles = self.single[columns]
        yield rows[singles >= 0], singles[singles >= 0]
        if not self.templates:
            return
        order, ordered = stable_order(self.attributes[columns])
        edges = np.searchsorted(ordered, np.arange(self.attributes.max(initial=0) + 2))
        by_attribute = [order[start:end] for start, end in pairwise(edges)]
        for template, levels, questions in self.templates:
            entries = by_attribute[template[0]]
            # row and number of each prefix that was found, and the last condition in it
            prefix_rows, prefix, last = rows[entries], columns[entries], columns[entries]
            for level, attribute in enumerate(template[1:]):
                entries = by_attribute[attribute]
                left, right = join((prefix_rows, prefix), (rows[entries], columns[entries]), n_rows)
                added = columns[entries][right]
                ascending = added > last[left]
                left, added = left[ascending], added[ascending]
                keys = prefix[left] * self.base + added
                number = np.minimum(np.searchsorted(levels[level], keys), len(levels[level]) - 1)
                known = levels[level][number] == keys
                prefix_rows, prefix, last = prefix_rows[left[known]], number[known], added[known]
            yield prefix_rows, questions[prefix]
