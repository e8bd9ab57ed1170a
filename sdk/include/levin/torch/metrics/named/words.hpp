// Characters, words and n-grams of texts, as Python has them: a character is a code point, and words are separated by
// any white space of Unicode.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "levin/util/words.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

using Characters = std::u32string;
using Words = std::vector<Characters>;

// Returns the characters of UTF-8. A byte that is not UTF-8 is a character of its own.
inline Characters characters_of(const std::string& utf8) {
  Characters out;
  for (size_t i = 0; i < utf8.size();) {
    const auto byte = [&](size_t at) { return static_cast<unsigned char>(utf8[at]); };
    const size_t length = byte(i) < 0xc0 ? 1 : byte(i) < 0xe0 ? 2 : byte(i) < 0xf0 ? 3 : 4;
    char32_t code = length == 1 ? byte(i) : byte(i) & (0x7f >> length);
    size_t used = 1;
    while (used < length && i + used < utf8.size() && (byte(i + used) & 0xc0) == 0x80)
      code = code << 6 | (byte(i + used++) & 0x3f);
    if (used < length) code = byte(i), used = 1;
    out += code;
    i += used;
  }
  return out;
}

inline bool is_white(char32_t c) {
  return (c >= 0x9 && c <= 0xd) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

// Returns the parts between characters for which is_gap(c).
template <class F>
Words split_at(const Characters& text, F&& is_gap) {
  Words out;
  bool inside = false;
  for (const char32_t c : text) {
    if (is_gap(c)) {
      inside = false;
    } else {
      if (!inside) out.emplace_back();
      inside = true;
      out.back() += c;
    }
  }
  return out;
}
inline Words words_of(const std::string& text) { return split_at(characters_of(text), is_white); }

// Returns the length of the longest sequence that is in both, with gaps.
inline int64_t common_length(const Words& a, const Words& b) {
  std::vector<int64_t> row(b.size() + 1, 0);
  for (const Characters& word : a) {
    int64_t diagonal = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      const int64_t up = row[j + 1];
      row[j + 1] = word == b[j] ? diagonal + 1 : std::max(up, row[j]);
      diagonal = up;
    }
  }
  return row.back();
}

// The n-grams of two sequences.
struct Grams {
  double found = 0, given = 0, wanted = 0;  // in both; of the prediction; of the reference
};
template <class Sequence>
Grams grams_of(const Sequence& prediction, const Sequence& reference, size_t n) {
  const auto counted = [n](const Sequence& of) {
    std::map<Sequence, double> out;
    for (size_t i = 0; i + n <= of.size(); ++i) ++out[Sequence(of.begin() + i, of.begin() + i + n)];
    return out;
  };
  const auto number = [n](const Sequence& of) { return of.size() < n ? 0.0 : static_cast<double>(of.size() - n + 1); };
  Grams out{0, number(prediction), number(reference)};
  const auto wanted = counted(reference);
  for (const auto& [gram, count] : counted(prediction))
    if (const auto same = wanted.find(gram); same != wanted.end()) out.found += std::min(count, same->second);
  return out;
}

}  // namespace levin::metrics::named
#pragma GCC visibility pop
