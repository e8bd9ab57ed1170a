"""What cases and oracles have in common."""
import dataclasses
from typing import Callable

import numpy as np

try:
    import torch
    import torchmetrics.functional as torchmetrics
    from torchmetrics.functional import clustering, text  # which torchmetrics.functional does not import itself
except ImportError:
    torch = torchmetrics = None


@dataclasses.dataclass
class Case:
    metric: str               # "f1:macro"
    word: str                 # "macro", or ""
    numbers: list             # the numbers of the metric
    prediction: np.ndarray    # a list of texts for metrics of text
    target: np.ndarray
    classes: int = 0
    logits: bool = False
    labels: int = 0


@dataclasses.dataclass
class Oracle:
    tool: str
    value: Callable           # of a case; None = the tool has no value for it
    tolerance: float = 1e-6


def rows(c):
    """Predictions and targets of regression as [N, D]."""
    n = c.target.shape[0]
    return c.prediction.reshape(n, -1), c.target.reshape(n, -1)
