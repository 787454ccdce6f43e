"""The binary tree of boxes that a MOPP code is written from."""

cdef struct node_t:
    int low[3]
    int high[3]
    int axis  # of the split; -1 in a leaf
    int left  # index of the child; -1 in a leaf
    int right
    int count  # leaves below, or 1
    unsigned int key_min
    unsigned int key_max
    double typical[3]  # the mean extent of the boxes below: about the size of a query that comes here

cdef struct tree_t:
    node_t* nodes
    Py_ssize_t count

cdef int build_tree(
    const int* low, const int* high, const unsigned int* keys, Py_ssize_t count, tree_t* tree
) noexcept nogil
cdef void free_tree(tree_t* tree) noexcept nogil
