"""text_golden.py TEST. Trains byte-pair tokenizers of many forms with Hugging Face's tokenizers, and runs TEST, which compares the
tokens that it finds in texts with theirs. The texts are of several scripts, of random characters, and of spaces."""
import json
import os
import random
import subprocess
import sys
import tempfile

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

SAMPLES = [
    "The quick brown fox doesn't jump; it'll RUN 12345 times, won't it? I'D say I've 3.14 reasons.\n\n  Indented\tlines\r\nend ",
    "Größe, Übermut und Straße; l'été à la façade; ¿qué? Ελληνικά κείμενα. Привет, мир! שלום עולם",
    "日本語のテキスト と 中文字符 한국어 텍스트 हिन्दी पाठ ไทย ①②③ ½ ¾ Ⅳ x² 🙂🙃 👩‍👩‍👧 e\u0301 İstanbul ΣΑΣ",
    "def f(x):\n    return x + 1  # comment\n\n\nclass A_b2:\n\tpass\n" * 2,
    "   leading and   many    spaces   ", "", " ", "\n", "\u00a0\u2003x\u3000y", "a" * 300 + " " + "ab" * 200,
]
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def texts():
    draw = random.Random(1)
    alphabet = list("abcdeABC 's't'll 019.,!?-_\n\t\r  ") + list("éßñ中日本한🙂\u0301½²Ⅳ\u00a0\u2009ж")
    for text in SAMPLES:
        yield text
        yield text + "<|endoftext|>" + text[:20] + " <mask> <mask>x"
    for _ in range(60):
        yield "".join(draw.choice(alphabet) for _ in range(draw.randrange(1, 60)))


def forms():
    byte_alphabet = pre_tokenizers.ByteLevel.alphabet()
    byte_level = lambda **more: pre_tokenizers.ByteLevel(**more)
    yield "gpt2", {}, None, byte_level(add_prefix_space=False), {"initial_alphabet": byte_alphabet}
    yield "roberta", {}, None, byte_level(add_prefix_space=True), {"initial_alphabet": byte_alphabet}
    for name, pattern in (("llama3", LLAMA3), ("qwen2", LLAMA3.replace("{1,3}", "")), ("gpt2split", GPT2)):
        split = pre_tokenizers.Split(Regex(pattern), "isolated")
        yield (name, {"ignore_merges": name == "llama3"}, None,
               pre_tokenizers.Sequence([split, byte_level(add_prefix_space=False, use_regex=False)]), {"initial_alphabet": byte_alphabet})
    yield "words", {"unk_token": "<unk>"}, normalizers.Lowercase(), pre_tokenizers.Whitespace(), {"special_tokens": ["<unk>"], "limit_alphabet": 60}
    yield ("suffix", {"unk_token": "<unk>", "end_of_word_suffix": "</w>", "fuse_unk": True}, None, pre_tokenizers.WhitespaceSplit(),
           {"special_tokens": ["<unk>"], "end_of_word_suffix": "</w>", "limit_alphabet": 40})
    yield ("prefix", {"unk_token": "<unk>", "continuing_subword_prefix": "##"}, normalizers.Lowercase(), pre_tokenizers.Whitespace(),
           {"special_tokens": ["<unk>"], "continuing_subword_prefix": "##"})
    for scheme in ("always", "first", "never"):
        yield f"metaspace_{scheme}", {}, None, pre_tokenizers.Metaspace(prepend_scheme=scheme), {"limit_alphabet": 80}
    yield ("llama2", {"unk_token": "<unk>", "byte_fallback": True, "fuse_unk": True},
           normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]), None,
           {"special_tokens": ["<unk>"] + [f"<0x{i:02X}>" for i in range(256)], "limit_alphabet": 50})


def write(folder):
    for name, model, normalizer, pre_tokenizer, training in forms():
        tokenizer = Tokenizer(models.BPE(**model))
        if normalizer:
            tokenizer.normalizer = normalizer
        if pre_tokenizer:
            tokenizer.pre_tokenizer = pre_tokenizer
        training = {"special_tokens": [], **training}
        tokenizer.train_from_iterator([t.replace("a" * 300, "") for t in SAMPLES], trainers.BpeTrainer(vocab_size=700, show_progress=False, **training))
        tokenizer.add_special_tokens(["<|endoftext|>", AddedToken("<mask>", lstrip=True, rstrip=name == "gpt2")])
        tokenizer.add_tokens([AddedToken("fox", normalized=True)])
        path = f"{folder}/{name}.json"
        tokenizer.save(path)
        cases = [{"text": text, "ids": tokenizer.encode(text, add_special_tokens=False).ids} for text in texts()]
        with open(path + ".cases", "w", encoding="utf-8") as file:
            json.dump(cases, file)


with tempfile.TemporaryDirectory() as folder:
    write(folder)
    sys.exit(subprocess.run([sys.argv[1], "[.tokenizers]"], env={**os.environ, "LEVIN_TOKENIZER_CASES": folder}).returncode)
