// Finds the strings of a set that begin a text.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace text::sentencepiece {

// A tree of bytes. The children of a node lie side by side, in the order of their bytes.
class Prefixes {
 public:
  using Key = std::pair<std::string_view, int32_t>;  // with its value, 0 or more
  Prefixes() : Prefixes(std::vector<Key>()) {}
  // The keys are different and not empty.
  explicit Prefixes(std::vector<Key> keys) {
    struct Range {
      size_t begin, end, depth;  // keys that are the same up to this depth
    };
    std::sort(keys.begin(), keys.end());
    std::vector<Range> ranges = {{0, keys.size(), 0}};
    nodes_.emplace_back();
    for (size_t at = 0; at < nodes_.size(); ++at) {
      auto [begin, end, depth] = ranges[at];
      if (begin < end && keys[begin].first.size() == depth) nodes_[at].value = keys[begin++].second;
      nodes_[at].first = static_cast<uint32_t>(nodes_.size());
      while (begin < end) {
        const char byte = keys[begin].first[depth];
        size_t next = begin;
        while (next < end && keys[next].first[depth] == byte) ++next;
        nodes_.emplace_back().byte = static_cast<uint8_t>(byte);
        ranges.push_back({begin, next, depth + 1});
        begin = next;
      }
      nodes_[at].end = static_cast<uint32_t>(nodes_.size());
    }
  }
  // Calls found(length, value) for each key that begins the text, the shortest first.
  template <class Found>
  void each(std::string_view text, const Found& found) const {
    const Node* node = nodes_.data();
    for (size_t i = 0; i < text.size(); ++i) {
      const auto byte = static_cast<uint8_t>(text[i]);
      const Node* const end = nodes_.data() + node->end;
      node = std::lower_bound(nodes_.data() + node->first, end, byte,
                              [](const Node& child, uint8_t wanted) { return child.byte < wanted; });
      if (node == end || node->byte != byte) return;
      if (node->value >= 0) found(i + 1, node->value);
    }
  }
  // Returns the length of the longest of them; 0 = none.
  size_t longest(std::string_view text) const {
    size_t out = 0;
    each(text, [&](size_t length, int32_t) { out = length; });
    return out;
  }

 private:
  struct Node {
    uint32_t first = 0, end = 0;  // children
    int32_t value = -1;           // -1 = no key ends here
    uint8_t byte = 0;
  };
  std::vector<Node> nodes_;
};

}  // namespace text::sentencepiece
