"""Cases and oracles of the metrics of labels."""
import numpy as np
from sklearn import metrics as sk

from oracle import Case, Oracle, torch, torchmetrics

COUNTS = ["accuracy", "precision", "recall", "f1", "fbeta", "specificity", "negative_predictive_value", "hamming_distance", "jaccard"]
AT_K = ["map", "ndcg", "hit_rate", "precision_at", "recall_at"]


def arguments(name, rng):
    word, numbers = "", []
    if name in COUNTS + ["auroc", "average_precision"] and rng.random() < 0.8:
        word = ["macro", "micro", "weighted"][rng.integers(3)]
    if name == "fbeta" and rng.random() < 0.7:
        numbers = [[0.5], [3], [2, 0.3]][rng.integers(3)]
    elif name in COUNTS + ["exact_match"] and rng.random() < 0.3:
        numbers = [0.3]
    if name in AT_K and rng.random() < 0.7:
        numbers = [int(rng.integers(1, 5))]
    return word, numbers


def case(name, rng):
    word, numbers = arguments(name, rng)
    n, labels = int(rng.integers(1, 40)), int(rng.integers(1, 7))
    target = (rng.random((n, labels)) < rng.random(labels)).astype(float)
    if rng.random() < 0.3:
        target[:, rng.integers(labels)] = rng.integers(2)  # a label that all samples have, or none
    scores = (rng.normal(size=(n, labels)) + target * rng.choice([0, 1, 4])) * rng.choice([0.3, 1, 5])
    if rng.random() < 0.3:
        scores = np.round(scores * 2) / 2
    logits = bool(rng.random() < 0.5)
    if not logits:
        scores = 1 / (1 + np.exp(-scores))
    if rng.random() < 0.3 and n > 2:
        target[rng.integers(n), rng.integers(labels)] = -100
    text = ":".join([name] + ([word] if word else []) + [repr(x) for x in numbers])
    return Case(text, word, numbers, scores, target, logits=logits, labels=labels)


class Samples:
    def __init__(self, c):
        self.counted, self.relevant = c.target != -100, c.target == 1
        self.scores, self.labels = c.prediction, c.labels
        self.p = 1 / (1 + np.exp(-c.prediction)) if c.logits else c.prediction
        name = c.metric.split(":")[0]
        beta = name == "fbeta"
        threshold = (c.numbers[1:] if beta else c.numbers) if name in COUNTS + ["exact_match"] else []
        self.threshold = threshold[0] if threshold else 0.5
        self.predicted = (self.p > self.threshold) & self.counted
        self.tp = (self.predicted & self.relevant).sum(0).astype(float)
        self.fp = (self.predicted & ~self.relevant).sum(0).astype(float)
        self.fn = (~self.predicted & self.relevant).sum(0).astype(float)
        self.tn = (~self.predicted & ~self.relevant & self.counted).sum(0).astype(float)
        self.rows = [(s[k], r[k].astype(int)) for s, r, k in zip(self.scores, self.relevant, self.counted) if k.any()]


def ratio(a, b):
    a, b = np.asarray(a, float), np.asarray(b, float)
    return np.divide(a, b, out=np.zeros_like(a * b), where=b != 0)


def averaged(part, whole):
    def value(c, s):
        a, b = part(s), whole(s)
        if c.word == "micro":
            return ratio(a.sum(), b.sum())
        weight = s.tp + s.fn if c.word == "weighted" else np.ones(s.labels)
        return ratio((ratio(a, b) * weight).sum(), weight.sum())

    return value


def fbeta(c, s):
    b = (c.numbers or [2])[0] ** 2
    return averaged(lambda s: (1 + b) * s.tp, lambda s: (1 + b) * s.tp + b * s.fn + s.fp)(c, s)


def by_label(function):
    """The mean of a curve's value over the labels."""

    def value(c, s):
        if c.word == "micro":
            return function(s.relevant[s.counted], s.scores[s.counted])
        each = [function(s.relevant[s.counted[:, k], k], s.scores[s.counted[:, k], k]) for k in range(s.labels)]
        weight = s.relevant.sum(0) if c.word == "weighted" else np.ones(s.labels)
        return ratio((np.array(each) * weight).sum(), weight.sum())

    return value


def area(relevant, scores):
    return sk.roc_auc_score(relevant, scores) if 0 < relevant.sum() < len(relevant) else 0


def steps(relevant, scores):
    return sk.average_precision_score(relevant, scores) if relevant.any() else 0


def exact(c, s):
    rows = s.counted.any(1)
    return ((s.predicted == s.relevant) | ~s.counted).all(1)[rows].mean() if rows.any() else np.nan


def of_numbers(function):
    return lambda c, s: function(s.relevant[s.counted].astype(float), s.p[s.counted]).mean() if s.counted.any() else np.nan


def log_loss(c, s):
    """Of logits, without the rounding of probabilities to 0 and 1."""
    if c.logits:
        each = np.logaddexp(0, np.where(s.relevant, -s.scores, s.scores))
    else:
        each = -np.log(np.where(s.relevant, s.p, 1 - s.p))
    return each[s.counted].mean() if s.counted.any() else np.nan


def by_row(function):
    return lambda c, s: np.mean([function(scores, relevant, c) for scores, relevant in s.rows]) if s.rows else np.nan


def ranks(scores):
    return (scores[None, :] >= scores[:, None]).sum(1)


def top(scores, c):
    return min(c.numbers[0] if c.numbers else len(scores), len(scores))


def found(scores, relevant, c):
    """The ranks of the relevant labels up to k."""
    r = ranks(scores)[relevant == 1]
    return np.sort(r[r <= (c.numbers[0] if c.numbers else np.inf)])


def map_at(scores, relevant, c):
    r = ranks(scores)
    each = [(relevant[r <= k] == 1).sum() / k for k in found(scores, relevant, c)]
    return np.mean(each) if each else 0


def ndcg(scores, relevant, c):
    if not relevant.any() or len(scores) == 1:
        return float(relevant.any())  # sklearn refuses single labels
    return sk.ndcg_score([relevant], [scores], k=top(scores, c))


def ranking_loss(scores, relevant, _):
    pairs = [b >= a for a in scores[relevant == 1] for b in scores[relevant == 0]]
    return np.mean(pairs) if pairs else 0


VALUES = {
    "accuracy": averaged(lambda s: s.tp + s.tn, lambda s: s.tp + s.tn + s.fp + s.fn),
    "precision": averaged(lambda s: s.tp, lambda s: s.tp + s.fp),
    "recall": averaged(lambda s: s.tp, lambda s: s.tp + s.fn),
    "f1": averaged(lambda s: 2 * s.tp, lambda s: 2 * s.tp + s.fp + s.fn),
    "fbeta": fbeta,
    "specificity": averaged(lambda s: s.tn, lambda s: s.tn + s.fp),
    "negative_predictive_value": averaged(lambda s: s.tn, lambda s: s.tn + s.fn),
    "hamming_distance": averaged(lambda s: s.fp + s.fn, lambda s: s.tp + s.tn + s.fp + s.fn),
    "jaccard": averaged(lambda s: s.tp, lambda s: s.tp + s.fp + s.fn),
    "exact_match": exact,
    "auroc": by_label(area),
    "average_precision": by_label(steps),
    "log_loss": log_loss,
    "brier": of_numbers(lambda t, p: (t - p) ** 2),
    "coverage_error": by_row(lambda s, r, c: max(ranks(s)[r == 1], default=0)),
    "ranking_loss": by_row(ranking_loss),
    "ranking_average_precision": by_row(lambda s, r, c: map_at(s, r, c) if r.any() else 1),
    "map": by_row(map_at),
    "mrr": by_row(lambda s, r, c: 1 / min(ranks(s)[r == 1]) if r.any() else 0),
    "ndcg": by_row(ndcg),
    "hit_rate": by_row(lambda s, r, c: float(len(found(s, r, c)) > 0)),
    "precision_at": by_row(lambda s, r, c: len(found(s, r, c)) / top(s, c)),
    "recall_at": by_row(lambda s, r, c: len(found(s, r, c)) / r.sum() if r.any() else 0),
    "r_precision": by_row(lambda s, r, c: (ranks(s)[r == 1] <= r.sum()).sum() / r.sum() if r.any() else 0),
}


def of_sklearn(c, s):
    """The value of scikit-learn, where no label is left out."""
    name, relevant = c.metric.split(":")[0], s.relevant.astype(int)
    if not s.counted.all() or s.labels == 1:
        return None
    average = c.word or "macro"
    by_counts = {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score, "jaccard": sk.jaccard_score}
    if name in by_counts:
        return by_counts[name](relevant, s.predicted, average=average, zero_division=0)
    if name == "fbeta":
        return sk.fbeta_score(relevant, s.predicted, beta=(c.numbers or [2])[0], average=average, zero_division=0)
    if name == "exact_match":
        return sk.accuracy_score(relevant, s.predicted)
    if name == "hamming_distance" and average == "micro":
        return sk.hamming_loss(relevant, s.predicted)
    ranking = {"coverage_error": sk.coverage_error, "ranking_loss": sk.label_ranking_loss,
               "ranking_average_precision": sk.label_ranking_average_precision_score}
    if name == "ranking_average_precision" and relevant.all(1).any():
        return None  # which counts these samples as 1 without a look at ties
    return ranking[name](relevant, s.scores) if name in ranking else None


def of_torchmetrics(c, s):
    tm, name, n = torchmetrics.classification, c.metric.split(":")[0], s.labels
    target = torch.tensor(np.where(s.counted, s.relevant, -100).astype(int))
    average = c.word or "macro"
    if n == 1:
        return None
    if name == "fbeta":
        return tm.multilabel_fbeta_score(torch.tensor(s.p), target, float((c.numbers or [2])[0]), n, s.threshold, average, ignore_index=-100)
    counts = {"accuracy": tm.multilabel_accuracy, "precision": tm.multilabel_precision, "recall": tm.multilabel_recall,
              "f1": tm.multilabel_f1_score, "specificity": tm.multilabel_specificity, "hamming_distance": tm.multilabel_hamming_distance,
              "jaccard": tm.multilabel_jaccard_index,
              "negative_predictive_value": getattr(tm, "multilabel_negative_predictive_value", None)}
    if name == "jaccard" and average == "weighted" and not s.relevant.any():
        return None  # NaN there, where other weighted averages are 0
    if counts.get(name):
        return counts[name](torch.tensor(s.p), target, n, s.threshold, average, ignore_index=-100)
    if name in ("auroc", "average_precision"):
        of = tm.multilabel_auroc if name == "auroc" else tm.multilabel_average_precision
        if average != "micro" and not s.relevant.any() or average == "micro" and not 0 < s.relevant.sum() < s.counted.sum():
            return None  # NaN there
        return of(torch.tensor(s.p), target, n, average, ignore_index=-100)
    if any(len(set(scores.astype(np.float32))) < len(scores) for scores, _ in s.rows):
        return None  # which orders equal scores by chance
    if name == "exact_match" and s.counted.all():
        return tm.multilabel_exact_match(torch.tensor(s.p), target, n, s.threshold)
    rt = torchmetrics.retrieval
    k = c.numbers[0] if c.numbers else None
    by_query = {"map": lambda p, t: rt.retrieval_average_precision(p, t, top_k=k), "mrr": lambda p, t: rt.retrieval_reciprocal_rank(p, t),
                "ndcg": lambda p, t: rt.retrieval_normalized_dcg(p, t, top_k=k), "hit_rate": lambda p, t: rt.retrieval_hit_rate(p, t, top_k=k),
                "precision_at": lambda p, t: rt.retrieval_precision(p, t, top_k=k, adaptive_k=True),
                "recall_at": lambda p, t: rt.retrieval_recall(p, t, top_k=k), "r_precision": lambda p, t: rt.retrieval_r_precision(p, t)}
    if name in by_query and s.rows:
        return np.mean([float(by_query[name](torch.tensor(scores), torch.tensor(relevant))) for scores, relevant in s.rows])
    return None


def oracles(c):
    s = Samples(c)
    found = [Oracle("its definition or sklearn", lambda c: VALUES[c.metric.split(":")[0]](c, s)),
             Oracle("sklearn", lambda c: of_sklearn(c, s))]
    if torchmetrics is not None:
        found.append(Oracle("torchmetrics", lambda c: of_torchmetrics(c, s), 2e-6))
    return found
