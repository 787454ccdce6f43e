import numpy as np
from numpy.typing import NDArray

def write_code(low: NDArray[np.int32], high: NDArray[np.int32], keys: NDArray[np.uint32]) -> bytes: ...
