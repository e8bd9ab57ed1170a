"""Cases and oracles of the metrics of images and of segmentation."""
import numpy as np

from oracle import Case, Oracle, torch, torchmetrics


def case(name, rng):
    if name in ("psnr", "ssim"):
        numbers = [[], [2.5]][rng.integers(2)]
        target = rng.random((int(rng.integers(1, 5)), int(rng.choice([1, 3])), int(rng.integers(6, 18)), int(rng.integers(6, 18))))
        prediction = target + rng.normal(size=target.shape) * rng.choice([0.001, 0.1, 1])
        if rng.random() < 0.1:
            prediction[:] = 0.5
        return Case(":".join([name] + [repr(x) for x in numbers]), "", numbers, prediction, target)
    classes, n, side = int(rng.integers(2, 6)), int(rng.integers(1, 6)), int(rng.integers(1, 8))
    target = rng.integers(0, rng.integers(1, classes + 1), (n, side, side))
    scores = rng.normal(size=(n, classes, side, side))
    np.put_along_axis(scores, target[:, None], rng.choice([0, 1, 4]), 1)
    if rng.random() < 0.3:
        target[rng.random(target.shape) < 0.3] = -100
    return Case(name, "", [], scores, target, classes, rng.random() < 0.5)


def psnr(c):
    return 10 * np.log10((c.numbers or [1])[0] ** 2 / ((c.prediction - c.target) ** 2).mean())


def ssim(c):
    """The mean over the pixels of images that are reflected at their borders."""
    size = (c.numbers or [1])[0]
    g = np.exp(-np.arange(-5, 6) ** 2 / (2 * 1.5 ** 2))
    window = np.outer(g, g) / g.sum() ** 2

    def smooth(x):
        return np.einsum("nchwij,ij->nchw", np.lib.stride_tricks.sliding_window_view(x, (11, 11), axis=(2, 3)), window)

    y, t = (np.pad(x, ((0, 0), (0, 0), (5, 5), (5, 5)), "reflect") for x in (c.prediction, c.target))
    c1, c2 = (0.01 * size) ** 2, (0.03 * size) ** 2
    my, mt = smooth(y), smooth(t)
    vy, vt, both = smooth(y * y) - my ** 2, smooth(t * t) - mt ** 2, smooth(y * t) - my * mt
    return ((2 * my * mt + c1) * (2 * both + c2) / ((my ** 2 + mt ** 2 + c1) * (vy + vt + c2))).mean()


def of_images(each):
    """The mean over the images of the mean over the classes that occur."""

    def value(c):
        values = []
        for scores, target in zip(c.prediction, c.target):
            predicted, counted = scores.argmax(0), target != -100
            found = []
            for k in range(c.classes):
                p, t = (predicted == k) & counted, (target == k) & counted
                if (p | t).any():
                    found.append(each((p & t).sum(), p.sum(), t.sum()))
            if found:
                values.append(np.mean(found))
        return np.mean(values) if values else np.nan

    return value


VALUES = {
    "psnr": psnr,
    "ssim": ssim,
    "mean_iou": of_images(lambda both, p, t: both / (p + t - both)),
    "mean_dice": of_images(lambda both, p, t: 2 * both / (p + t)),
}


def of_torchmetrics(c):
    y, t = torch.tensor(c.prediction), torch.tensor(c.target)
    name, size = c.metric.split(":")[0], (c.numbers or [1])[0]
    if name == "psnr":
        return torchmetrics.image.peak_signal_noise_ratio(y, t, data_range=float(size))
    if name == "ssim":
        return torchmetrics.image.structural_similarity_index_measure(y, t, data_range=float(size))
    return None


def oracles(c):
    found = [Oracle("its definition", lambda c: VALUES[c.metric.split(":")[0]](c))]
    if torchmetrics is not None:
        found.append(Oracle("torchmetrics", of_torchmetrics, 1e-5))
    return found
