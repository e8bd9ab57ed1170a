#include "added_tokens.hpp"

#include <algorithm>

#include "unicode.hpp"

namespace text {
namespace {

size_t trimmed_end(const std::string& text) {
  const std::vector<Character> c = characters_of(text);
  size_t n = c.size();
  while (n > 0 && is_space(c[n - 1].kind)) --n;
  return n == 0 ? 0 : c[n - 1].end;
}

size_t after_spaces(const std::string& text, size_t at) {
  for (size_t bytes = 0; at < text.size() && is_space(kind_of(decode(text.data() + at, bytes)));) at += bytes;
  return at;
}

}  // namespace

void AddedTokens::add(AddedToken token) {
  if (token.content.empty()) return;
  std::vector<AddedToken>& same = by_first_[static_cast<unsigned char>(token.content[0])];
  same.push_back(std::move(token));
  std::stable_sort(same.begin(), same.end(),
                   [](const AddedToken& a, const AddedToken& b) { return a.content.size() > b.content.size(); });
}

const AddedToken* AddedTokens::at(std::string_view rest) const {
  for (const AddedToken& token : by_first_[static_cast<unsigned char>(rest[0])])
    if (rest.substr(0, token.content.size()) == token.content) return &token;
  return nullptr;
}

std::vector<Part> AddedTokens::find(const std::vector<Part>& parts) const {
  std::vector<Part> out;
  for (const Part& part : parts) {
    if (part.id >= 0)
      out.push_back(part);
    else
      cut(part.text, out);
  }
  return out;
}

void AddedTokens::cut(const std::string& text, std::vector<Part>& out) const {
  size_t begin = 0;
  for (size_t i = 0; i < text.size();) {
    const AddedToken* const token = at(std::string_view(text).substr(i));
    if (!token) {
      ++i;
      continue;
    }
    std::string before = text.substr(begin, i - begin);
    if (token->takes_left) before.resize(trimmed_end(before));
    if (!before.empty()) out.push_back({before, -1});
    out.push_back({"", token->id});
    begin = i + token->content.size();
    if (token->takes_right) begin = after_spaces(text, begin);
    i = begin;
  }
  if (begin < text.size()) out.push_back({text.substr(begin), -1});
}

}  // namespace text
