#include "merge.hpp"

#include <cstdio>
#include <queue>
#include <tuple>

#include "unicode.hpp"

namespace text {

bool Merger::add(const std::string& left, const std::string& right) {
  const bool cuts = !prefix.empty() && right.compare(0, prefix.size(), prefix) == 0;
  const auto a = ids.find(left), b = ids.find(right), both = ids.find(left + right.substr(cuts ? prefix.size() : 0));
  if (a == ids.end() || b == ids.end() || both == ids.end()) return false;
  merges_[key(a->second, b->second)] = {static_cast<int32_t>(merges_.size()), both->second};
  return true;
}

void Merger::encode(const std::string& piece, std::vector<int32_t>& out) const {
  if (ignore_merges) {
    const auto whole = ids.find(piece);
    if (whole != ids.end()) return out.push_back(whole->second);
  }
  std::vector<int32_t> symbols = symbols_of(piece);
  merge(symbols);
  out.insert(out.end(), symbols.begin(), symbols.end());
}

std::vector<int32_t> Merger::symbols_of(const std::string& piece) const {
  std::vector<int32_t> out;
  bool after_unknown = false;
  for (size_t at = 0, bytes = 0; at < piece.size(); at += bytes) {
    decode(piece.data() + at, bytes);
    const std::string character = piece.substr(at, bytes);
    const auto found = ids.find((at > 0 ? prefix : "") + character + (at + bytes == piece.size() ? suffix : ""));
    if (found != ids.end()) {
      out.push_back(found->second);
      after_unknown = false;
      continue;
    }
    const size_t before = out.size();
    if (byte_fallback) add_unknown(character, out);
    if (out.size() > before) {
      after_unknown = false;
    } else if (unknown) {
      if (!after_unknown || !fuse_unknown) out.push_back(*unknown);
      after_unknown = true;
    }
  }
  return out;
}

// Adds the tokens <0x00> to <0xFF> of the character's bytes, if all of them exist.
void Merger::add_unknown(std::string_view character, std::vector<int32_t>& out) const {
  const size_t before = out.size();
  for (const char byte : character) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(static_cast<unsigned char>(byte)));
    const auto found = ids.find(name);
    if (found == ids.end()) return out.resize(before);
    out.push_back(found->second);
  }
}

// Symbols are a list, and the pairs wait in a queue: a long piece takes n log n steps.
void Merger::merge(std::vector<int32_t>& symbols) const {
  using Waiting = std::tuple<int32_t, size_t, int32_t>;  // rank, place of the left symbol, the merged token
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue;
  const size_t n = symbols.size(), none = n;
  std::vector<size_t> next(n), before(n);
  const auto look_at = [&](size_t left) {
    if (left >= n || next[left] >= n) return;
    const auto found = merges_.find(key(symbols[left], symbols[next[left]]));
    if (found != merges_.end()) queue.push({found->second.rank, left, found->second.id});
  };
  for (size_t i = 0; i < n; ++i) next[i] = i + 1, before[i] = i == 0 ? none : i - 1;
  for (size_t i = 0; i < n; ++i) look_at(i);
  while (!queue.empty()) {
    const auto [rank, left, id] = queue.top();
    queue.pop();
    if (symbols[left] < 0 || next[left] >= n) continue;
    const size_t right = next[left];
    const auto found = merges_.find(key(symbols[left], symbols[right]));
    if (found == merges_.end() || found->second.id != id) continue;  // the pair was merged otherwise
    symbols[left] = id;
    symbols[right] = -1;
    next[left] = next[right];
    if (next[left] < n) before[next[left]] = left;
    if (before[left] != none) look_at(before[left]);
    look_at(left);
  }
  size_t kept = 0;
  for (const int32_t symbol : symbols)
    if (symbol >= 0) symbols[kept++] = symbol;
  symbols.resize(kept);
}

}  // namespace text
