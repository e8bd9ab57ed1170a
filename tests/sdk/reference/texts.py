"""Cases and oracles of the metrics of texts. Definitions in plain Python, and torchmetrics where it is installed."""
import collections
import math
import re
import string

import numpy as np

from oracle import Case, Oracle, torch, torchmetrics

WORDS = ["the", "cat", "sat", "on", "a", "mat", "The", "don't", "it's", "1,000.5", "3-4", "x-y", "(well)", "end.", "Hello,", "ZÜRICH", "naïve",
         "日本語", "😀", "&amp;", "&quot;quoted&quot;", "<skipped>", "A", "!", "'s", "\u2126", "\u212a9", "foo_bar", "e.g.", "$5", "2.", ".5", "a-\nb"]
SPACES = [" ", " ", " ", "  ", "\t", "\n", "\u00a0", "\u3000"]


def sentence(rng):
    words = [WORDS[i] for i in rng.integers(0, len(WORDS), int(rng.integers(0, 15)))]
    spaces = [SPACES[0] if rng.random() < 0.8 else SPACES[i] for i in rng.integers(0, len(SPACES), len(words) + 1)]
    return "".join(w + s for w, s in zip(words, spaces))[:None if rng.random() < 0.2 else -1]


def changed(text, rng):
    """The text with some words left out, added or replaced."""
    words = re.split("( +)", text)
    for i in range(len(words)):
        if rng.random() < 0.2:
            words[i] = ["", WORDS[rng.integers(len(WORDS))], words[i] + " " + words[i]][rng.integers(3)]
    return "".join(words)


def case(name, rng):
    word, numbers = "", []
    if name.startswith("rouge") and rng.random() < 0.8:
        word = ["f1", "precision", "recall"][rng.integers(3)]
    if name in ("bleu", "sacre_bleu"):
        word, numbers = ["", "plain", "smooth"][rng.integers(3)], [[], [1], [2]][rng.integers(3)]
    if name == "chrf":
        numbers = [[], [4], [6, 0], [3, 1, 1]][rng.integers(4)]
    n = int(rng.integers(1, 12))
    references = [sentence(rng) for _ in range(n)]
    predictions = [changed(r, rng) if rng.random() < 0.8 else sentence(rng) for r in references]
    if rng.random() < 0.2:
        predictions = list(references)
    if rng.random() < 0.1:
        references[rng.integers(n)] = ""
    text = ":".join([name] + ([word] if word else []) + [repr(x) for x in numbers])
    return Case(text, word, numbers, predictions, references)


def edits(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        new = [i + 1]
        for j, y in enumerate(b):
            new.append(min(row[j] + (x != y), row[j + 1] + 1, new[j] + 1))
        row = new
    return row[-1]


def divided(a, b):
    return a / b if b else (math.inf if a else math.nan)


def pairs(c):
    return list(zip(c.prediction, c.target))


def word_pairs(c):
    return [(p.split(), t.split()) for p, t in pairs(c)]


def wer(c):
    return divided(sum(edits(p, t) for p, t in word_pairs(c)), sum(len(t) for _, t in word_pairs(c)))


def cer(c):
    return divided(sum(edits(p, t) for p, t in pairs(c)), sum(len(t) for t in c.target))


def match_error_rate(c):
    return divided(sum(edits(p, t) for p, t in word_pairs(c)), sum(max(len(p), len(t)) for p, t in word_pairs(c)))


def preserved(c):
    right = sum(max(len(p), len(t)) - edits(p, t) for p, t in word_pairs(c))
    return divided(right, sum(len(p) for p, _ in word_pairs(c))) * divided(right, sum(len(t) for _, t in word_pairs(c)))


def grams(sequence, n):
    return collections.Counter(tuple(sequence[i:i + n]) for i in range(len(sequence) - n + 1))


def bleu_of(c, tokens):
    longest = int((c.numbers or [4])[0])
    tokenized = [(tokens(p), tokens(t)) for p, t in pairs(c)]
    logs = 0
    for n in range(1, longest + 1):
        right = sum(sum((grams(p, n) & grams(t, n)).values()) for p, t in tokenized)
        given = sum(sum(grams(p, n).values()) for p, _ in tokenized)
        if right == 0:
            return 0
        more = c.word == "smooth" and n > 1
        logs += math.log((right + more) / (given + more)) / longest
    given, wanted = (sum(len(pair[k]) for pair in tokenized) for k in (0, 1))
    return math.exp(logs) * (1 if given > wanted else math.exp(1 - wanted / given))


def tokens_13a(line):
    line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for name, mark in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        line = line.replace(name, mark)
    line = f" {line} "
    for pattern, by in ((r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 "), (r"([^0-9])([\.,])", r"\1 \2 "), (r"([\.,])([^0-9])", r" \1 \2"),
                        (r"([0-9])(-)", r"\1 \2 ")):
        line = re.sub(pattern, by, line)
    return line.split()


def words_and_marks(text):
    out = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            out += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            out += [word[0], word[1:]]
        else:
            out.append(word)
    return out


def chrf(c):
    characters, words, beta = (list(c.numbers) + [6, 2, 2][len(c.numbers):])
    scores = []
    related = [bool(set(p.strip()) & set(t.strip()) - {" "}) for p, t in pairs(c)]  # other references are not counted
    for longest, split in ((characters, lambda t: t.strip().replace(" ", "")), (words, words_and_marks)):
        for n in range(1, longest + 1):
            counts = [(grams(split(p), n), grams(split(t), n)) for p, t in pairs(c)]
            right = sum(sum((p & t).values()) for p, t in counts)
            given = sum(sum(p.values()) for p, _ in counts)
            wanted = sum(sum(t.values()) for (_, t), counted in zip(counts, related) if counted)
            precision, recall = right / given if given else 0, right / wanted if wanted else 0
            scores.append((1 + beta ** 2) * precision * recall / max(beta ** 2 * precision + recall, 1e-16))
    return np.mean(scores)


def common(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        new = [0]
        for j, y in enumerate(b):
            new.append(row[j] + 1 if x == y else max(row[j + 1], new[j]))
        row = new
    return row[-1]


def rouge(c):
    kind = c.metric.split(":")[0][-1]
    values = []
    for texts in pairs(c):
        p, t = (re.sub("[^a-z0-9]+", " ", text.lower()).split() for text in texts)
        if kind == "l":
            right, given, wanted = common(p, t), len(p), len(t)
        else:
            n = int(kind)
            right, given, wanted = sum((grams(p, n) & grams(t, n)).values()), len(p) - n + 1, len(t) - n + 1
        precision, recall = right / given if given > 0 else 0, right / wanted if wanted > 0 else 0
        values.append({"precision": precision, "recall": recall}.get(c.word, 2 * precision * recall / (precision + recall) if right else 0))
    return np.mean(values)


VALUES = {
    "wer": wer,
    "cer": cer,
    "match_error_rate": match_error_rate,
    "word_information_preserved": preserved,
    "word_information_lost": lambda c: 1 - preserved(c),
    "edit_distance": lambda c: np.mean([edits(p, t) for p, t in pairs(c)]),
    "exact_match": lambda c: np.mean([p == t for p, t in pairs(c)]),
    "bleu": lambda c: bleu_of(c, str.split),
    "sacre_bleu": lambda c: bleu_of(c, tokens_13a),
    "chrf": chrf,
    "rouge1": rouge,
    "rouge2": rouge,
    "rouge_l": rouge,
}


def of_torchmetrics(c):
    tm, name, smooth = torchmetrics.text, c.metric.split(":")[0], c.word == "smooth"
    each = [[t] for t in c.target]
    simple = {"wer": tm.word_error_rate, "cer": tm.char_error_rate, "match_error_rate": tm.match_error_rate,
              "word_information_lost": tm.word_information_lost, "word_information_preserved": tm.word_information_preserved,
              "edit_distance": tm.edit_distance}
    if name == "edit_distance" and max(map(len, c.prediction + c.target)) > 25:
        return None  # which searches a band
    if name in simple:
        return simple[name](c.prediction, c.target)
    n = int((c.numbers or [4])[0])
    if name == "bleu":
        return tm.bleu_score(c.prediction, each, n_gram=n, smooth=smooth)
    if name == "sacre_bleu":
        return tm.sacre_bleu_score(c.prediction, each, n_gram=n, smooth=smooth)
    if name == "chrf":
        characters, words, beta = (list(c.numbers) + [6, 2, 2][len(c.numbers):])
        return tm.chrf_score(c.prediction, each, n_char_order=characters, n_word_order=words, beta=float(beta))
    if name.startswith("rouge"):
        key = {"rouge1": "rouge1", "rouge2": "rouge2", "rouge_l": "rougeL"}[name]
        found = tm.rouge.rouge_score(c.prediction, c.target, rouge_keys=key)
        return found[f"{key}_{'fmeasure' if c.word in ('', 'f1') else c.word}"]
    return None


def oracles(c):
    found = [Oracle("its definition", lambda c: VALUES[c.metric.split(":")[0]](c))]
    if torchmetrics is not None:
        found.append(Oracle("torchmetrics", of_torchmetrics, 2e-6))
    return found
