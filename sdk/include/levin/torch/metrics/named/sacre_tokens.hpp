// The tokenizer 13a of mteval and sacrebleu.
#pragma once
#include "levin/torch/metrics/named/words.hpp"

#pragma GCC visibility push(hidden)
namespace levin::metrics::named {

inline std::string with_replaced(std::string text, const std::string& part, const std::string& by) {
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size())
    text.replace(at, part.size(), by);
  return text;
}

// Returns the tokens of a text: words, and marks, which stand alone unless digits are beside them. Characters that one
// match takes are not part of the next, as with regular expressions.
inline Words sacre_tokens(const std::string& given) {
  std::string text = given;
  const std::pair<const char*, const char*> replaced[] = {
      {"<skipped>", ""}, {"-\n", ""}, {"\n", " "}, {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
  for (const auto& [part, by] : replaced) text = with_replaced(text, part, by);
  const Characters line = U" " + characters_of(text) + U" ";
  const auto is_digit = [](char32_t c) { return c >= '0' && c <= '9'; };
  const auto is_point = [](char32_t c) { return c == '.' || c == ','; };
  // Marks other than . , - and '.
  Characters apart;
  for (const char32_t c : line) {
    const bool mark = (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
                      (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
    apart += mark ? Characters{U' ', c, U' '} : Characters{c};
  }
  // Points, unless a digit is before, and then unless one is behind; minus after a digit.
  const auto pairs = [](const Characters& from, auto&& fits, auto&& written) {
    Characters out;
    for (size_t i = 0; i < from.size(); ++i) {
      if (i + 1 < from.size() && fits(from[i], from[i + 1]))
        out += written(from[i], from[i + 1]), ++i;
      else
        out += from[i];
    }
    return out;
  };
  apart = pairs(
      apart, [&](char32_t a, char32_t b) { return !is_digit(a) && is_point(b); },
      [](char32_t a, char32_t b) {
        return Characters{a, U' ', b, U' '};
      });
  apart = pairs(
      apart, [&](char32_t a, char32_t b) { return is_point(a) && !is_digit(b); },
      [](char32_t a, char32_t b) {
        return Characters{U' ', a, U' ', b};
      });
  apart = pairs(
      apart, [&](char32_t a, char32_t b) { return is_digit(a) && b == '-'; },
      [](char32_t a, char32_t b) {
        return Characters{a, U' ', b, U' '};
      });
  return split_at(apart, is_white);
}

}  // namespace levin::metrics::named
#pragma GCC visibility pop
