"""The dynamic tree against a plain list of boxes."""

import numpy as np
import pytest

from physics.kernel.tree import Tree


@pytest.mark.parametrize("seed", range(4))
def test_queries_agree_with_a_list_through_inserts_moves_and_removals(seed):
    rng = np.random.default_rng(seed)
    tree, boxes = Tree(), {}
    leaves = {}
    for number in range(600):
        action = rng.integers(4)
        low = np.float32(rng.uniform(-10, 10, 3))
        high = np.float32(low + rng.uniform(0, 3, 3))
        if action < 2 or not boxes:
            boxes[number], leaves[number] = (low, high), tree.insert(low, high, number)
        else:
            key = sorted(boxes)[rng.integers(len(boxes))]
            if action == 2:
                boxes[key] = (low, high)
                tree.move(leaves[key], low, high)
            else:
                tree.remove(leaves.pop(key))
                del boxes[key]
        if number % 20 == 0:
            tree.check()
            found = set(tree.query(low, high).tolist())
            assert found == {k for k, (a, b) in boxes.items() if (a <= high).all() and (b >= low).all()}
    tree.check()
    for key in sorted(boxes):
        tree.remove(leaves[key])
    tree.check()
    assert tree.height == -1


def test_sorted_insertion_stays_balanced():
    # Boxes in a row, inserted in order, would make a list of 1024; an AVL tree of n leaves is below 1.44
    # log2 n high.
    tree = Tree()
    for i in range(1024):
        tree.insert((i, 0, 0), (i + 0.5, 1, 1), i)
    assert tree.height <= 15
