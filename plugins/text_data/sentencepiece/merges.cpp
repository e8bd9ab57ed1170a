#include <queue>

#include "characters.hpp"
#include "segmentation.hpp"

namespace text::sentencepiece {
namespace {

class Merging {
 public:
  Merging(const Model& model, const Prefixes& user_defined, std::string_view text) : model_(model) {
    while (!text.empty()) {
      const size_t defined = user_defined.longest(text), length = defined > 0 ? defined : character_length(text);
      const auto at = static_cast<int64_t>(symbols_.size());
      text.remove_prefix(
          symbols_.emplace_back(Symbol{text.substr(0, length), at - 1, at + 1, defined > 0}).text.size());
    }
    if (!symbols_.empty()) symbols_.back().next = -1;
    for (size_t i = 1; i < symbols_.size(); ++i) offer(static_cast<int64_t>(i) - 1, static_cast<int64_t>(i));
    while (!pairs_.empty()) {
      const Pair pair = pairs_.top();
      pairs_.pop();
      merge(pair);
    }
  }
  Segments segments() const {
    Segments out;
    for (int64_t at = symbols_.empty() ? -1 : 0; at >= 0; at = symbol(at).next) add(symbol(at).text, out);
    return out;
  }

 private:
  struct Symbol {
    std::string_view text;  // empty = merged with the one before it
    int64_t before, next;   // -1 = none
    bool is_defined;        // by the user: never merged
  };
  struct Pair {
    int64_t left, right;
    float score;
    size_t size;
    bool operator<(const Pair& other) const {
      return score < other.score || (score == other.score && left > other.left);
    }
  };
  Symbol& symbol(int64_t at) { return symbols_[static_cast<size_t>(at)]; }
  const Symbol& symbol(int64_t at) const { return symbols_[static_cast<size_t>(at)]; }

  void offer(int64_t left, int64_t right) {
    if (left < 0 || right < 0 || symbol(left).is_defined || symbol(right).is_defined) return;
    const std::string_view a = symbol(left).text, b = symbol(right).text;
    const auto found = model_.ids.find(std::string(a.data(), a.size() + b.size()));
    if (found == model_.ids.end()) return;
    pairs_.push({left, right, model_.pieces[static_cast<size_t>(found->second)].score, a.size() + b.size()});
    if (model_.kind_of(found->second) == PieceKind::unused) parts_[found->first] = {a, b};
  }
  void merge(const Pair& pair) {
    Symbol &left = symbol(pair.left), &right = symbol(pair.right);
    if (left.text.empty() || right.text.empty() || left.text.size() + right.text.size() != pair.size) return;
    left.text = {left.text.data(), pair.size};
    left.next = right.next;
    if (right.next >= 0) symbol(right.next).before = pair.left;
    right.text = {};
    offer(left.before, pair.left);
    offer(pair.left, left.next);
  }
  // An unused piece is given as the parts that it was merged from.
  void add(std::string_view text, Segments& out) const {
    const int32_t id = model_.id_of(std::string(text));
    const auto parts = model_.kind_of(id) == PieceKind::unused ? parts_.find(std::string(text)) : parts_.end();
    if (parts == parts_.end()) return void(out.emplace_back(text, id));
    add(parts->second.first, out);
    add(parts->second.second, out);
  }

  const Model& model_;
  std::vector<Symbol> symbols_;
  std::priority_queue<Pair> pairs_;
  std::unordered_map<std::string, std::pair<std::string_view, std::string_view>> parts_;
};

}  // namespace

Segments merged_segments(const Model& model, const Prefixes& user_defined, std::string_view text) {
  return Merging(model, user_defined, text).segments();
}

Segments word_segments(const Model& model, std::string_view text) {
  Segments out;
  while (!text.empty()) {
    size_t end = character_length(text);
    while (end < text.size() && text.compare(end, space_mark.size(), space_mark) != 0)
      end += character_length(text.substr(end));
    out.emplace_back(text.substr(0, end), model.id_of(std::string(text.substr(0, end))));
    text.remove_prefix(end);
  }
  return out;
}

Segments character_segments(const Model& model, const Prefixes& user_defined, std::string_view text) {
  Segments out;
  while (!text.empty()) {
    const size_t defined = user_defined.longest(text), length = defined > 0 ? defined : character_length(text);
    out.emplace_back(text.substr(0, length), model.id_of(std::string(text.substr(0, length))));
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace text::sentencepiece
