"""Cases and oracles of the metrics of regression."""
import numpy as np
from scipy import stats
from sklearn import metrics as sk

from oracle import Case, Oracle, rows, torch, torchmetrics

NUMBERS = {"huber": [0.3, 1, 2.5], "pinball": [0.1, 0.5, 0.9], "tweedie_deviance": [0, 1, 1.5, 2, 3, -1], "minkowski": [1, 2, 3]}
POSITIVE = ["msle", "tweedie_deviance"]


def case(name, rng):
    numbers = [NUMBERS[name][rng.integers(len(NUMBERS[name]))]] if name in NUMBERS and rng.random() < 0.8 else []
    n, d = int(rng.integers(1, 60)), int(rng.choice([1, 1, 3]))
    target = rng.normal(size=(n, d)) * rng.choice([0.1, 1, 100])
    prediction = target + rng.normal(size=(n, d)) * rng.choice([0, 0.01, 1])
    if rng.random() < 0.3:
        target, prediction = np.round(target * 2) / 2, np.round(prediction * 2) / 2
    if rng.random() < 0.2 and name not in POSITIVE:  # numbers far from 0, where sums of squares would cancel
        target, prediction = target + 1e6, prediction + 1e6
    if rng.random() < 0.1:
        target[:] = target[0]
    if rng.random() < 0.1:
        prediction[:] = prediction[0]
    if name in POSITIVE:
        target, prediction = np.abs(target) + 0.1, np.abs(prediction) + 0.1
    if d == 1 and rng.random() < 0.5:
        target = target[:, 0]  # the network has [N, 1], the data [N]
    return Case(":".join([name] + [repr(x) for x in numbers]), "", numbers, prediction, target)


def by_output(function):
    def value(c):
        y, t = rows(c)
        return np.mean([function(y[:, d], t[:, d]) for d in range(y.shape[1])])

    return value


def of_rows(function):
    return lambda c: function(*rows(c))


def same_numbers(x):
    return len(set(x)) == 1


def correlation(function):
    def value(y, t):
        return np.nan if same_numbers(y) or same_numbers(t) else function(y, t)

    return by_output(value)


def concordance(y, t):
    n = len(y)
    return 2 * np.cov(y, t)[0, 1] / (y.var(ddof=1) + t.var(ddof=1) + (y.mean() - t.mean()) ** 2) if n > 1 else np.nan


def r2(y, t):
    if len(t) < 2:
        return np.nan
    if same_numbers(t):
        return float((y == t).all())
    return sk.r2_score(t, y)


def explained_variance(y, t):
    if same_numbers(t):
        return float(same_numbers(y))
    return 1 - np.var(t - y) / np.var(t)


def cosine(y, t):
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.mean((y * t).sum(1) / (np.linalg.norm(y, axis=1) * np.linalg.norm(t, axis=1)))


def huber(c):
    delta = c.numbers[0] if c.numbers else 1
    y, t = rows(c)
    e = np.abs(y - t)
    return np.where(e <= delta, e * e / 2, delta * (e - delta / 2)).mean()


def tweedie(c):
    y, t = rows(c)
    return sk.mean_tweedie_deviance(t.reshape(-1), y.reshape(-1), power=c.numbers[0] if c.numbers else 0)


LEAST = 1.17e-6
VALUES = {
    "mse": of_rows(lambda y, t: sk.mean_squared_error(t, y)),
    "rmse": of_rows(lambda y, t: np.sqrt(sk.mean_squared_error(t, y))),
    "mae": of_rows(lambda y, t: sk.mean_absolute_error(t, y)),
    "median_absolute_error": of_rows(lambda y, t: sk.median_absolute_error(t, y)),
    "max_error": of_rows(lambda y, t: sk.max_error(t.reshape(-1), y.reshape(-1))),
    "mean_error": of_rows(lambda y, t: (y - t).mean()),
    "mape": of_rows(lambda y, t: (np.abs(y - t) / np.maximum(np.abs(t), LEAST)).mean()),
    "smape": of_rows(lambda y, t: (2 * np.abs(y - t) / np.maximum(np.abs(t) + np.abs(y), LEAST)).mean()),
    "wmape": of_rows(lambda y, t: np.abs(y - t).sum() / max(np.abs(t).sum(), LEAST)),
    "msle": of_rows(lambda y, t: sk.mean_squared_log_error(t, y)),
    "huber": huber,
    "log_cosh": of_rows(lambda y, t: (np.logaddexp(y - t, t - y) - np.log(2)).mean()),
    "pinball": lambda c: sk.mean_pinball_loss(rows(c)[1], rows(c)[0], alpha=c.numbers[0] if c.numbers else 0.5),
    "tweedie_deviance": tweedie,
    "minkowski": lambda c: (np.abs(rows(c)[0] - rows(c)[1]) ** (c.numbers or [2])[0]).sum() ** (1 / (c.numbers or [2])[0]),
    "r2": by_output(r2),
    "explained_variance": by_output(explained_variance),
    "pearson": correlation(lambda y, t: stats.pearsonr(y, t)[0]),
    "concordance": correlation(concordance),
    "spearman": correlation(lambda y, t: stats.spearmanr(y, t)[0]),
    "kendall": correlation(lambda y, t: stats.kendalltau(y, t)[0]),
    "cosine_similarity": of_rows(cosine),
}


def of_torchmetrics(c):
    """The value of torchmetrics, or None. Its float32 sums and its limits for small numbers are not compared."""
    y, t = (torch.tensor(x) for x in rows(c))
    name, tm = c.metric.split(":")[0], torchmetrics
    flat_y, flat_t = y.reshape(-1), t.reshape(-1)
    if t.abs().max() > 1e5:
        return None
    of_all = {"mse": tm.mean_squared_error, "mae": tm.mean_absolute_error, "mape": tm.mean_absolute_percentage_error,
              "smape": tm.symmetric_mean_absolute_percentage_error, "wmape": tm.weighted_mean_absolute_percentage_error,
              "msle": tm.mean_squared_log_error, "log_cosh": tm.log_cosh_error}
    if name in of_all:
        return of_all[name](flat_y, flat_t)
    if name == "rmse":
        return tm.mean_squared_error(flat_y, flat_t, squared=False)
    if name == "tweedie_deviance":
        return tm.tweedie_deviance_score(flat_y, flat_t, power=c.numbers[0] if c.numbers else 0)
    if name == "minkowski":
        return tm.minkowski_distance(flat_y, flat_t, (c.numbers or [2])[0])
    if name == "cosine_similarity":
        return tm.cosine_similarity(y, t, reduction="mean")
    if len(t) < 3 or any(same_numbers(x[:, d].tolist()) for x in (y, t) for d in range(t.shape[1])):
        return None
    each = {"pearson": tm.pearson_corrcoef, "concordance": tm.concordance_corrcoef, "kendall": tm.kendall_rank_corrcoef,
            "explained_variance": tm.explained_variance}
    if name in each:
        return torch.stack([each[name](y[:, d], t[:, d]) for d in range(t.shape[1])]).mean()
    return None


def oracles(c):
    found = [Oracle("sklearn, SciPy or its definition", VALUES[c.metric.split(":")[0]])]
    if torchmetrics is not None:
        found.append(Oracle("torchmetrics", of_torchmetrics, 2e-6))
    return found
