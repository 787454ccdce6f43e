import numpy as np
from numpy.typing import NDArray

class ModelSet:
    count: int
    def __init__(
        self,
        radii: NDArray[np.float32],
        first_sub: NDArray[np.int32],
        sub_centers: NDArray[np.float32],
        sub_radii: NDArray[np.float32],
        sub_extents: NDArray[np.float32],
        first_reference: NDArray[np.int32],
        references: NDArray[np.int32],
        first_face: NDArray[np.int32],
        first_corner: NDArray[np.int32],
        corners: NDArray[np.float32],
        normals: NDArray[np.float32],
    ) -> None: ...
