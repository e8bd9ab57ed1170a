// Finds the strings of a set that begin a text.
#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace text::sentencepiece {

class Prefixes {
 public:
  void add(std::string_view key, int32_t value) {
    uint32_t node = 0;
    for (const char c : key) {
      const auto [next, is_new] = next_.emplace(edge(node, c), static_cast<uint32_t>(values_.size()));
      if (is_new) values_.push_back(-1);
      node = next->second;
    }
    values_[node] = value;
  }
  // Calls found(length, value) for each key that begins the text, the shortest first.
  template <class Found>
  void each(std::string_view text, const Found& found) const {
    uint32_t node = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      const auto next = next_.find(edge(node, text[i]));
      if (next == next_.end()) return;
      node = next->second;
      if (values_[node] >= 0) found(i + 1, values_[node]);
    }
  }
  // Returns the length of the longest of them; 0 = none.
  size_t longest(std::string_view text) const {
    size_t out = 0;
    each(text, [&](size_t length, int32_t) { out = length; });
    return out;
  }

 private:
  static uint64_t edge(uint32_t node, char c) { return uint64_t{node} << 8 | static_cast<uint8_t>(c); }
  std::unordered_map<uint64_t, uint32_t> next_;
  std::vector<int32_t> values_ = {-1};  // of the nodes; -1 = no key ends there
};

}  // namespace text::sentencepiece
