"""Cases and oracles of the metrics of classification."""
import numpy as np
from sklearn import metrics as sk

from oracle import Case, Oracle, torch, torchmetrics

AVERAGES = ["macro", "micro", "weighted", "binary"]
THRESHOLD = ["precision", "recall", "f1", "specificity", "negative_predictive_value", "hamming_distance", "jaccard"]
TWO = ["recall_at_precision", "precision_at_recall", "sensitivity_at_specificity", "specificity_at_sensitivity"]


def arguments(name, rng):
    """Words and numbers that follow the name, and whether they need two classes."""
    if name == "accuracy":
        return [("micro", [], False), ("macro", [], False), ("weighted", [], False), ("binary", [], True), ("top2", [], False),
                ("top3 macro", [], False), ("", [0.3], True)]
    if name in THRESHOLD:
        return [(word, [], word == "binary") for word in AVERAGES] + [("binary", [0.3], True)]
    if name == "fbeta":
        return [("", [], False), ("macro", [0.5], False), ("micro", [2], False), ("weighted", [3], False), ("binary", [0.5, 0.7], True)]
    if name == "cohen_kappa":
        return [("", [], False), ("linear", [], False), ("quadratic", [], False), ("none", [0.4], True)]
    if name == "matthews":
        return [("", [], False), ("", [], True), ("", [0.7], True)]
    if name == "auroc":
        return [("macro", [], False), ("weighted", [], False), ("binary", [], True), ("", [0.3], True), ("", [], True)]
    if name == "average_precision":
        return [("macro", [], False), ("weighted", [], False), ("binary", [], True)]
    if name == "brier":
        return [("", [], False), ("binary", [], True)]
    if name == "ece":
        return [("", [], False), ("l2", [], False), ("max", [], False), ("l1", [4], False)]
    if name in TWO:
        return [("", [value], True) for value in (0, 0.317, 0.613, 0.907, 1)]  # no ratio of small numbers, which float32 rounds down
    if name == "normalized_mutual_info":
        return [(word, [], False) for word in ("", "arithmetic", "geometric", "min", "max")]
    if name == "ndcg":
        return [("", [], False), ("", [1], False), ("", [3], False)]
    return [("", [], False)]


def case(name, rng):
    choices = arguments(name, rng)
    word, numbers, two = choices[rng.integers(len(choices))]
    classes = 2 if two else int(rng.integers(2, 7))
    n = int(rng.integers(1, 60))
    kept = rng.permutation(classes)[:int(rng.integers(1, classes + 1))] if rng.random() < 0.4 else np.arange(classes)
    target = rng.choice(kept, n)
    scores = rng.normal(size=(n, classes)) * rng.choice([0.3, 1, 5])
    scores[np.arange(n), target] += rng.choice([0, 1, 4])
    if rng.random() < 0.3:  # ties of samples, and of classes where predictions only count by their order
        scores = np.round(scores * 2) / 2
    if rng.random() < 0.1:  # a constant prediction
        scores[:] = scores[0]
    logits = rng.random() < 0.5
    if not logits:
        scores = softmax(scores)
    elif classes > 2 and name in ("auroc", "average_precision"):  # ties that do not depend on the rounding of softmax
        scores, logits = np.array([rng.multinomial(8, p) / 8 for p in softmax(scores)]), False
    if rng.random() < 0.3 and n > 2:
        target[rng.integers(n)] = -100
    text = ":".join([name] + word.split() + [repr(x) for x in numbers])
    return Case(text, word, numbers, scores, target, classes, logits)


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


class Samples:
    """The counted samples of a case."""

    def __init__(self, c):
        counted = c.target != -100
        self.scores, self.target, self.classes = c.prediction[counted], c.target[counted], c.classes
        self.p = softmax(self.scores) if c.logits else self.scores
        self.predicted = self.scores.argmax(1) if len(self.target) else self.target
        name = c.metric.split(":")[0]
        if name in THRESHOLD + ["accuracy", "cohen_kappa", "matthews"] and c.numbers or name == "fbeta" and len(c.numbers) == 2:
            self.predicted = (self.p[:, 1] > c.numbers[-1]).astype(int)
        self.cells = sk.confusion_matrix(self.target, self.predicted, labels=np.arange(c.classes)).astype(float)
        self.seen, self.given, self.right = self.cells.sum(1), self.cells.sum(0), self.cells.diagonal()
        self.n = len(self.target)


def ratio(a, b):
    a, b = np.asarray(a, float), np.asarray(b, float)
    return np.divide(a, b, out=np.zeros_like(a * b), where=b != 0)


def by_classes(function):
    """An average of sklearn, as torchmetrics chooses the classes."""

    def value(c, s):
        word = c.word or "macro"
        if word == "binary":
            return function(s.target, s.predicted, average="binary", zero_division=0)
        labels = np.arange(s.classes)
        if word == "macro":
            labels = labels[s.seen + s.given > 0]
        return function(s.target, s.predicted, labels=labels, average=word, zero_division=0)

    return value


def averaged(part, whole):
    """The average of ratios of counts."""

    def value(c, s):
        a, b = part(s), whole(s)
        word = c.word or "macro"
        if word == "micro":
            return ratio(a.sum(), b.sum())
        if word == "binary":
            return ratio(a, b)[1]
        weight = s.seen if word == "weighted" else (s.seen + s.given > 0).astype(float)
        return ratio((ratio(a, b) * weight).sum(), weight.sum())

    return value


def accuracy(c, s):
    word = c.word.split()[-1] if c.word else "micro"
    if "top" in c.metric:
        k = min(int(c.word[3]), s.classes)
        found = np.array([t in np.argsort(-p, kind="stable")[:k] for t, p in zip(s.target, s.p)])
        if any(len(set(p)) < s.classes for p in s.p):
            return None  # among equal scores any may be the k-th
        if word != "macro":
            return found.mean()
        return np.mean([found[s.target == t].mean() for t in set(s.target)])
    if word == "macro":
        return by_classes(sk.recall_score)(c, s)
    return sk.accuracy_score(s.target, s.predicted)


def hamming(c, s):
    return sk.hamming_loss(s.target, s.predicted) if c.word != "macro" and c.word else 1 - by_classes(sk.recall_score)(c, s)


def matthews(c, s):
    if s.classes == 2 and s.right.sum() in (0, s.n):
        return 1 if s.right.sum() else -1
    return sk.matthews_corrcoef(s.target, s.predicted)


def area(positive, scores, max_fpr=None):
    if positive.all() or not positive.any():
        return 0
    return sk.roc_auc_score(positive, scores, max_fpr=max_fpr)


def ranked(s, k):
    """Scores by which samples are ordered; for two classes not saturated."""
    return s.scores[:, k] - s.scores[:, 1 - k] if s.classes == 2 else s.p[:, k]


def auroc(c, s):
    if s.classes == 2:
        return area(s.target == 1, ranked(s, 1), c.numbers[0] if c.numbers else None)
    areas = np.array([area(s.target == k, ranked(s, k)) for k in range(s.classes)])
    return areas.mean() if c.word != "weighted" else (areas * s.seen).sum() / s.seen.sum()


def average_precision(c, s):
    def of(k):
        return sk.average_precision_score(s.target == k, ranked(s, k)) if s.seen[k] else np.nan

    if c.word == "binary":
        return np.nan_to_num(of(1))
    areas = np.array([of(k) for k in range(s.classes)])
    return np.nanmean(areas) if c.word != "weighted" else np.nansum(areas * s.seen) / s.seen.sum()


def best(rate, other, least):
    return max([r for r, o in zip(rate, other) if o >= least], default=0)


def from_precision_recall(c, s):
    precision, recall, _ = sk.precision_recall_curve(s.target == 1, ranked(s, 1))
    precision, recall = precision[:-1], recall[:-1] * s.seen.astype(bool)[1]  # sklearn adds the last point
    return best(recall, precision, c.numbers[0]) if c.metric.startswith("recall") else best(precision, recall, c.numbers[0])


def from_roc(c, s):
    fpr, tpr, _ = sk.roc_curve(s.target == 1, ranked(s, 1), drop_intermediate=False)
    fpr, tpr = np.nan_to_num(fpr), np.nan_to_num(tpr)
    return best(tpr, 1 - fpr, c.numbers[0]) if c.metric.startswith("sens") else best(1 - fpr, tpr, c.numbers[0])


def log_loss(c, s):
    logs = s.scores - s.scores.max(1, keepdims=True) if c.logits else np.log(s.p)
    logs = logs - np.log(np.exp(logs).sum(1, keepdims=True)) if c.logits else logs
    return -logs[np.arange(s.n), s.target].mean()


def brier(c, s):
    if c.word == "binary":
        return sk.brier_score_loss(s.target == 1, s.p[:, 1])
    return ((s.p - np.eye(s.classes)[s.target]) ** 2).sum(1).mean()


def ece(c, s):
    bins = int(c.numbers[0]) if c.numbers else 15
    confidence = s.p.max(1).astype(np.float32)
    edges = np.linspace(0, 1, bins + 1).astype(np.float32)
    bin_of = np.digitize(confidence, edges) - 1
    gaps, parts = [], []
    for b in set(bin_of):
        inside = bin_of == b
        gaps.append(abs((s.predicted == s.target)[inside].mean() - confidence[inside].astype(float).mean()))
        parts.append(inside.mean())
    gaps, parts = np.array(gaps), np.array(parts)
    return {"max": gaps.max(), "l2": np.sqrt((gaps ** 2 * parts).sum())}.get(c.word, (gaps * parts).sum())


def one_hot(s):
    return np.eye(s.classes)[s.target]


def clusters(function):
    return lambda c, s: function(s.target, s.predicted)


def normalized_mutual_info(c, s):
    """0 where sklearn has 1: neither the targets nor the predictions are split."""
    if len(set(s.target)) == len(set(s.predicted)) == 1:
        return 0
    return sk.normalized_mutual_info_score(s.target, s.predicted, average_method=c.word or "arithmetic")


VALUES = {
    "mutual_info": clusters(sk.mutual_info_score),
    "normalized_mutual_info": normalized_mutual_info,
    "rand_index": clusters(sk.rand_score),
    "adjusted_rand_index": clusters(sk.adjusted_rand_score),
    "fowlkes_mallows": clusters(sk.fowlkes_mallows_score),
    "homogeneity": clusters(sk.homogeneity_score),
    "completeness": clusters(sk.completeness_score),
    "v_measure": clusters(sk.v_measure_score),
    "mrr": lambda c, s: sk.label_ranking_average_precision_score(one_hot(s), s.scores),
    "ndcg": lambda c, s: sk.ndcg_score(one_hot(s), s.scores, k=int(c.numbers[0]) if c.numbers else None),
    "accuracy": accuracy,
    "balanced_accuracy": lambda c, s: sk.balanced_accuracy_score(s.target, s.predicted),
    "precision": by_classes(sk.precision_score),
    "recall": by_classes(sk.recall_score),
    "f1": by_classes(sk.f1_score),
    "fbeta": by_classes(lambda *a, **k: None),
    "specificity": averaged(lambda s: s.n - s.seen - s.given + s.right, lambda s: s.n - s.seen),
    "negative_predictive_value": averaged(lambda s: s.n - s.seen - s.given + s.right, lambda s: s.n - s.given),
    "hamming_distance": hamming,
    "jaccard": by_classes(sk.jaccard_score),
    "cohen_kappa": lambda c, s: sk.cohen_kappa_score(s.target, s.predicted, labels=np.arange(s.classes),
                                                     weights=None if c.word in ("", "none") else c.word),
    "matthews": matthews,
    "auroc": auroc,
    "average_precision": average_precision,
    "recall_at_precision": from_precision_recall,
    "precision_at_recall": from_precision_recall,
    "sensitivity_at_specificity": from_roc,
    "specificity_at_sensitivity": from_roc,
    "log_loss": log_loss,
    "perplexity": lambda c, s: np.exp(log_loss(c, s)),
    "brier": brier,
    "ece": ece,
}


def fbeta(c, s):
    beta = c.numbers[0] if c.numbers else 2
    return by_classes(lambda *a, **k: sk.fbeta_score(*a, beta=beta, **k))(c, s)


VALUES["fbeta"] = fbeta


def of_torchmetrics(c, s):
    """The value of torchmetrics, or None."""
    tm = torchmetrics.classification
    p, target = torch.tensor(s.p), torch.tensor(s.target)
    name, word, n = c.metric.split(":")[0], c.word or "macro", s.classes
    predicted = torch.tensor(s.predicted)
    if "top" in c.metric:
        return None
    stats = {"precision": tm.multiclass_precision, "recall": tm.multiclass_recall, "f1": tm.multiclass_f1_score,
             "specificity": tm.multiclass_specificity, "hamming_distance": tm.multiclass_hamming_distance,
             "jaccard": tm.multiclass_jaccard_index, "accuracy": tm.multiclass_accuracy}
    if name in stats and word != "binary":
        return stats[name](predicted, target, n, average=c.word or ("micro" if name == "accuracy" else "macro"))
    binary = {"precision": tm.binary_precision, "recall": tm.binary_recall, "f1": tm.binary_f1_score, "specificity": tm.binary_specificity,
              "jaccard": tm.binary_jaccard_index, "accuracy": tm.binary_accuracy}
    if name in binary:
        return binary[name](predicted, target)
    if name == "fbeta":
        beta = float(c.numbers[0]) if c.numbers else 2.0
        return tm.binary_fbeta_score(predicted, target, beta) if word == "binary" else tm.multiclass_fbeta_score(predicted, target, beta, n, average=word)
    between = {"mutual_info": "mutual_info_score", "rand_index": "rand_score", "adjusted_rand_index": "adjusted_rand_score",
               "fowlkes_mallows": "fowlkes_mallows_index", "homogeneity": "homogeneity_score", "completeness": "completeness_score"}
    if name in between:
        return getattr(torchmetrics.clustering, between[name])(predicted, target)
    if name == "normalized_mutual_info":
        return torchmetrics.clustering.normalized_mutual_info_score(predicted, target, average_method=c.word or "arithmetic")
    if name == "cohen_kappa":
        return tm.multiclass_cohen_kappa(predicted, target, n, weights=None if c.word in ("", "none") else c.word)
    if name == "matthews":
        return tm.multiclass_matthews_corrcoef(predicted, target, n) if n > 2 else None
    if name == "auroc" and n > 2:
        return tm.multiclass_auroc(p, target, n, average=word)
    if name == "average_precision":
        if not s.target.any() and word != "binary":
            return None  # torchmetrics then counts all classes
        return tm.binary_average_precision(p[:, 1], target) if word == "binary" else tm.multiclass_average_precision(p, target, n, average=word)
    if name == "ece":
        norm = c.word or "l1"
        return tm.multiclass_calibration_error(p, target, n, n_bins=int(c.numbers[0]) if c.numbers else 15, norm=norm)
    if name in ("recall_at_precision", "precision_at_recall", "sensitivity_at_specificity", "specificity_at_sensitivity"):
        f = {"recall_at_precision": tm.binary_recall_at_fixed_precision, "precision_at_recall": tm.binary_precision_at_fixed_recall,
             "sensitivity_at_specificity": tm.binary_sensitivity_at_specificity,
             "specificity_at_sensitivity": tm.binary_specificity_at_sensitivity}[name]
        return f(p[:, 1], target, float(c.numbers[0]))[0] if 0 < s.seen[1] < s.n else None
    return None


def oracles(c):
    s = Samples(c)
    if s.n == 0:
        return []
    found = [Oracle("sklearn or its definition", lambda c: VALUES[c.metric.split(":")[0]](c, s))]
    if torchmetrics is not None:
        found.append(Oracle("torchmetrics", lambda c: of_torchmetrics(c, s), 2e-6))
    return found
