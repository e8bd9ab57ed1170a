#include "pieces.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>

#include "levin/error.hpp"
#include "tokenizer_file.hpp"
#include "unicode.hpp"

namespace text {
namespace {

using Characters = std::vector<Character>;
// Returns the end of the piece that begins at character i.
using Cut = std::function<size_t(const Characters&, size_t i)>;
using Test = bool (*)(Kind);

size_t run(const Characters& c, size_t i, Test test, size_t most = SIZE_MAX) {
  for (; i < c.size() && most > 0 && test(c[i].kind); --most) ++i;
  return i;
}
bool is_symbol(Kind k) { return !is_space(k) && !is_letter(k) && !is_number(k); }
bool is_line_end(const Character& c) { return c.code == '\r' || c.code == '\n'; }

// Returns the end of 's, 't, 're, 've, 'm, 'll or 'd; i if there is none.
size_t contraction(const Characters& c, size_t i, bool any_case) {
  if (c[i].code != '\'') return i;
  for (const std::string_view word : {"s", "t", "re", "ve", "m", "ll", "d"}) {
    size_t n = 0;
    while (n < word.size() && i + 1 + n < c.size()) {
      const uint32_t code = c[i + 1 + n].code, lower = any_case && code >= 'A' && code <= 'Z' ? code + 32 : code;
      if (lower != static_cast<unsigned char>(word[n])) break;
      ++n;
    }
    if (n == word.size()) return i + 1 + n;
  }
  return i;
}

// \s+(?!\S)|\s+: leaves the last space of a run to the word behind it.
size_t spaces(const Characters& c, size_t i) {
  const size_t end = run(c, i, is_space);
  return end == c.size() || end == i + 1 ? end : end - 1;
}

// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
size_t cut_gpt2(const Characters& c, size_t i) {
  const size_t word = contraction(c, i, false);
  if (word > i) return word;
  const size_t from = c[i].code == ' ' ? i + 1 : i;
  for (const Test test : {is_letter, is_number, is_symbol}) {
    const size_t end = run(c, from, test);
    if (end > from) return end;
  }
  return spaces(c, i);
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
size_t cut_llama3(const Characters& c, size_t i, size_t digits) {
  const size_t word = contraction(c, i, true);
  if (word > i) return word;
  const size_t letters = is_letter(c[i].kind) || is_number(c[i].kind) || is_line_end(c[i]) ? i : i + 1;
  size_t end = run(c, letters, is_letter);
  if (end > letters) return end;
  end = run(c, i, is_number, digits);
  if (end > i) return end;
  const size_t from = c[i].code == ' ' ? i + 1 : i;
  end = run(c, from, is_symbol);
  if (end > from) {
    while (end < c.size() && is_line_end(c[end])) ++end;
    return end;
  }
  end = run(c, i, is_space);
  for (size_t last = end; last > i; --last)
    if (is_line_end(c[last - 1])) return last;
  return spaces(c, i);
}

// \w+|[^\w\s]+ and, between them, spaces
size_t cut_words(const Characters& c, size_t i) {
  for (const Test test : {is_word, is_space}) {
    const size_t end = run(c, i, test);
    if (end > i) return end;
  }
  return run(c, i, [](Kind k) { return !is_word(k) && !is_space(k); });
}
size_t cut_at_spaces(const Characters& c, size_t i) {
  const size_t end = run(c, i, is_space);
  return end > i ? end : run(c, i, [](Kind k) { return !is_space(k); });
}

class Cutter : public PreTokenizer {
 public:
  Cutter(Cut cut, bool drop_spaces) : cut_(std::move(cut)), drop_spaces_(drop_spaces) {}
  std::vector<std::string> cut(std::vector<std::string> pieces, bool) const override {
    std::vector<std::string> out;
    for (const std::string& piece : pieces) {
      const Characters c = characters_of(piece);
      for (size_t i = 0, end = 0; i < c.size(); i = end) {
        end = cut_(c, i);
        if (!drop_spaces_ || !is_space(c[i].kind)) out.push_back(piece.substr(c[i].begin, c[end - 1].end - c[i].begin));
      }
    }
    return out;
  }

 private:
  Cut cut_;
  bool drop_spaces_;
};

// The characters that stand for the 256 bytes: printable ones for themselves, the others from 256 on.
std::array<std::string, 256> byte_characters() {
  std::array<std::string, 256> out;
  for (uint32_t byte = 0, next = 256; byte < 256; ++byte) {
    const bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    append(out[byte], printable ? byte : next++);
  }
  return out;
}

class ByteLevel : public PreTokenizer {
 public:
  ByteLevel(bool prefix_space, bool cuts) : prefix_space_(prefix_space), cuts_(cuts) {}
  std::vector<std::string> cut(std::vector<std::string> pieces, bool) const override {
    static const std::array<std::string, 256> names = byte_characters();
    for (std::string& piece : pieces)
      if (prefix_space_ && piece.substr(0, 1) != " ") piece = " " + piece;
    if (cuts_) pieces = Cutter(cut_gpt2, false).cut(std::move(pieces), false);
    for (std::string& piece : pieces) {
      std::string named;
      for (const char byte : piece) named += names[static_cast<unsigned char>(byte)];
      piece = named;
    }
    return pieces;
  }

 private:
  bool prefix_space_, cuts_;
};

class Metaspace : public PreTokenizer {
 public:
  Metaspace(std::string mark, std::string prepend, bool cuts)
      : mark_(std::move(mark)), prepend_(std::move(prepend)), cuts_(cuts) {}
  std::vector<std::string> cut(std::vector<std::string> pieces, bool first) const override {
    std::vector<std::string> out;
    for (size_t i = 0; i < pieces.size(); ++i) {
      std::string text;
      for (const char c : pieces[i]) c == ' ' ? text += mark_ : text += c;
      const bool wanted = prepend_ == "always" || (prepend_ == "first" && first && i == 0);
      if (wanted && text.compare(0, mark_.size(), mark_) != 0) text = mark_ + text;
      if (!cuts_) {
        out.push_back(text);
        continue;
      }
      for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find(mark_, begin + 1), text.size());
        out.push_back(text.substr(begin, end - begin));
        begin = end;
      }
    }
    return out;
  }

 private:
  std::string mark_, prepend_;
  bool cuts_;
};

class Sequence : public PreTokenizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<PreTokenizer>> parts) : parts_(std::move(parts)) {}
  std::vector<std::string> cut(std::vector<std::string> pieces, bool first) const override {
    for (const auto& part : parts_) pieces = part->cut(std::move(pieces), first);
    return pieces;
  }

 private:
  std::vector<std::unique_ptr<PreTokenizer>> parts_;
};

constexpr const char* gpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr const char* llama3[] = {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})",
                                  R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

std::unique_ptr<PreTokenizer> make_split(const nlohmann::json& json, const std::string& path) {
  const std::string regex = json.at("pattern").value("Regex", "");
  const bool whole = json.value("behavior", "") == "Isolated" && !json.value("invert", false);
  if (whole && regex == gpt2) return std::make_unique<Cutter>(cut_gpt2, false);
  for (const auto& [repeat, digits] : {std::pair("{1,3}", size_t{3}), std::pair("", size_t{1})})
    if (whole && regex == std::string(llama3[0]) + repeat + llama3[1])
      return std::make_unique<Cutter>([n = digits](const Characters& c, size_t i) { return cut_llama3(c, i, n); },
                                      false);
  refuse_tokenizer(path, "its pre-tokenizer splits by a pattern that is not known: " +
                             (regex.empty() ? json.at("pattern").dump() : regex));
}

}  // namespace

std::unique_ptr<PreTokenizer> make_pre_tokenizer(const nlohmann::json& json, const std::string& path) {
  std::vector<std::unique_ptr<PreTokenizer>> parts;
  if (json.is_null()) return std::make_unique<Sequence>(std::move(parts));
  const std::string type = json.at("type");
  if (type == "Sequence") {
    for (const auto& part : json.at("pretokenizers")) parts.push_back(make_pre_tokenizer(part, path));
    return std::make_unique<Sequence>(std::move(parts));
  }
  if (type == "ByteLevel")
    return std::make_unique<ByteLevel>(json.value("add_prefix_space", true), json.value("use_regex", true));
  if (type == "Whitespace") return std::make_unique<Cutter>(cut_words, true);
  if (type == "WhitespaceSplit") return std::make_unique<Cutter>(cut_at_spaces, true);
  if (type == "Metaspace" && json.at("replacement") != "")
    return std::make_unique<Metaspace>(
        json.at("replacement"), json.value("prepend_scheme", json.value("add_prefix_space", true) ? "always" : "never"),
        json.value("split", true));
  if (type == "Split") return make_split(json, path);
  refuse_tokenizer(path, "its pre-tokenizer is '" + type +
                             "'; ByteLevel, Metaspace (with a replacement), Whitespace, WhitespaceSplit, Split and "
                             "Sequence are supported");
}

}  // namespace text
