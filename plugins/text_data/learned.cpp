#include "learned.hpp"

#include <algorithm>
#include <cstdlib>

#include "bpe/unicode.hpp"
#include "levin/error.hpp"

namespace text {
namespace {

constexpr int32_t unknown_id = 1;

// Calls found(token) for each character, or for each word (\w+) and each other character that is no space ([^\w\s]).
template <class Found>
void each(const std::string& kind, std::string_view text, const Found& found) {
  std::string token;
  for (size_t at = 0, bytes = 0; at < text.size(); at += bytes) {
    const uint32_t code = decode(text.data() + at, bytes);
    if (kind == "chars") {
      found(std::string(text.substr(at, bytes)));
      continue;
    }
    const bool small = kind != "words" && code >= 'A' && code <= 'Z';
    if (is_word(kind_of(code))) {
      small ? token += static_cast<char>(code + 32) : token += text.substr(at, bytes);
      continue;
    }
    if (!token.empty()) found(token);
    token.clear();
    if (!is_space(kind_of(code))) found(std::string(text.substr(at, bytes)));
  }
  if (!token.empty()) found(token);
}

// Returns the names in a text of Learned::saved().
std::vector<std::string> names_in_saved(const std::string& saved) {
  const auto check = [](bool is_right) {
    if (!is_right) throw levin::Error(LEVIN_E_STATE, "the checkpoint's vocabulary is damaged");
  };
  std::vector<std::string> names;
  for (size_t at = 0; at < saved.size();) {
    char* end = nullptr;
    const size_t n = std::strtoul(saved.c_str() + at, &end, 10), blank = static_cast<size_t>(end - saved.c_str());
    check(blank > at && *end == ' ' && n < saved.size() - blank);
    const size_t begin = blank + 1;
    names.push_back(saved.substr(begin, n));
    at = begin + n;
  }
  check(names.size() > static_cast<size_t>(unknown_id));
  return names;
}

}  // namespace

bool is_learned(const std::string& kind) { return kind == "chars" || kind == "words" || kind == "words lowercase"; }

void Counts::add(std::string_view text) {
  each(kind_, text, [this](const std::string& token) { ++counts_[token]; });
}

std::vector<std::string> Counts::names(size_t most) const {
  std::vector<std::pair<std::string, int64_t>> all(counts_.begin(), counts_.end());
  const bool by_count = kind_ != "chars";  // UTF-8 sorts by code points
  std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return by_count && a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::vector<std::string> names = {"<pad>", "<unk>"};
  for (size_t i = 0; i < all.size() && (!by_count || names.size() < most); ++i) names.push_back(all[i].first);
  return names;
}

Learned::Learned(std::string kind, std::vector<std::string> names) : kind_(std::move(kind)), names_(std::move(names)) {
  for (size_t i = 2; i < names_.size(); ++i) ids_[names_[i]] = static_cast<int32_t>(i);
}

Learned::Learned(std::string kind, const std::string& saved) : Learned(std::move(kind), names_in_saved(saved)) {}

std::string Learned::saved() const {
  std::string out = kind_ + "\n";
  for (const std::string& name : names_) out += std::to_string(name.size()) + " " + name;
  return out;
}

void Learned::encode(std::string_view text, std::vector<int32_t>& out) const {
  each(kind_, text, [&](const std::string& token) {
    const auto found = ids_.find(token);
    out.push_back(found == ids_.end() ? unknown_id : found->second);
  });
}

}  // namespace text
