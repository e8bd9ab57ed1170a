"""sentence_pieces_golden.py TEST. Trains SentencePiece models of each kind and runs TEST, which compares the tokens that the data
module finds in texts with those of Python's sentencepiece."""
import io
import json
import os
import random
import subprocess
import sys
import tempfile

import sentencepiece

SENTENCES = [
    "The quick brown fox doesn't jump; it'll RUN 12345 times, won't it?", "I'D say I've 3.14 reasons.", "Größe, Übermut und Straße",
    "l'été à la façade; ¿qué?", "Ελληνικά κείμενα. Привет, мир!", "日本語のテキスト と 中文字符 한국어 텍스트 हिन्दी पाठ", "①②③ ½ ¾ Ⅳ x² ﬁne ＡＢＣ",
    "def f(x): return x + 1  # comment", "the cat sat on the mat and the dog sat on the log", "she sells sea shells by the sea shore",
]
TEXTS = SENTENCES + ["", " ", "\n", "   leading and   many    spaces   ", "two\nlines\r\n\tand a tab", "<unk><s></s><pad>", "\u00a0x\u3000y\u200b", "🙂🙃 e\u0301",
                     "a" * 300, "▁already▁marked", "keep me<special>here", "\ufeffmark"]
KINDS = {
    "unigram": {},
    "bpe": {"model_type": "bpe"},
    "bytes": {"model_type": "bpe", "byte_fallback": True, "vocab_size": 600, "normalization_rule_name": "identity", "remove_extra_whitespaces": False},
    "unigram_bytes": {"byte_fallback": True, "vocab_size": 560, "split_digits": True, "pad_id": 3},
    "words": {"model_type": "word"},
    "chars": {"model_type": "char"},
    "symbols": {"user_defined_symbols": ["<special>"], "control_symbols": ["<control>"], "add_dummy_prefix": False, "pad_id": 0, "unk_id": 1, "bos_id": -1,
                "eos_id": -1, "normalization_rule_name": "nmt_nfkc_cf"},
}


def texts():
    draw = random.Random(1)
    alphabet = list("abcdeABC 's't'll 019.,!?-_\n\t\r  ") + list("éßñ中日本한🙂\u0301½²Ⅳ\u00a0\u2009ж▁")
    yield from TEXTS
    for _ in range(60):
        yield "".join(draw.choice(alphabet) for _ in range(draw.randrange(1, 60)))


def with_unused(model):
    """The model, whose every third normal piece has the type 5 (unused). Pieces come first in the file, and each is short."""
    out, at, count = b"", 0, 0
    while model[at] == 0x0A:
        piece = model[at + 2:at + 2 + model[at + 1]]
        at += 2 + len(piece)
        is_normal = piece[-5] == 0x15  # ends with its score
        count += is_normal
        if is_normal and count % 3 == 0:
            piece += b"\x18\x05"
        out += bytes([0x0A, len(piece)]) + piece
    return out + model[at:]


def write_cases(path, model):
    with open(path, "wb") as file:
        file.write(model)
    processor = sentencepiece.SentencePieceProcessor(model_file=path)
    cases = [{"text": text, "ids": processor.encode(text)} for text in texts()]
    with open(path + ".cases", "w", encoding="utf-8") as file:
        json.dump(cases, file)


def write(folder):
    for name, options in KINDS.items():
        model = io.BytesIO()
        options = {"vocab_size": 300, "character_coverage": 0.98, "minloglevel": 3, **options}
        if options.get("model_type", "unigram") in ("unigram", "word", "char"):
            options["hard_vocab_limit"] = False
        sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(SENTENCES * 5), model_writer=model, **options)
        write_cases(f"{folder}/{name}.model", model.getvalue())
        if name != "bytes":
            write_cases(f"{folder}/{name}_unused.model", with_unused(model.getvalue()))


with tempfile.TemporaryDirectory() as folder:
    write(folder)
    sys.exit(subprocess.run([sys.argv[1], "[.tokenizers]"], env={**os.environ, "LEVIN_TOKENIZER_CASES": folder}).returncode)
