#include "characters.hpp"

#include <cstring>

namespace text::sentencepiece {

CharactersMap::CharactersMap(std::string_view map) {
  uint32_t size = 0;
  if (map.size() <= sizeof size) return;
  std::memcpy(&size, map.data(), sizeof size);
  if (size < sizeof(uint32_t) || size >= map.size() - sizeof size) return;
  units_.resize(size / sizeof(uint32_t));
  std::memcpy(units_.data(), map.data() + sizeof size, units_.size() * sizeof(uint32_t));
  replacements_ = map.substr(sizeof size + size);
}

// The unit at `at` leads to those at at ^ offset ^ byte. If a key ends there, its value is at ^ offset.
size_t CharactersMap::find(std::string_view text, std::string_view& replacement) const {
  const auto offset_of = [](uint32_t unit) { return (unit >> 10) << ((unit & (1U << 9)) >> 6); };
  size_t longest = 0;
  if (units_.empty()) return 0;
  size_t at = offset_of(units_[0]);
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    at ^= byte;
    if (at >= units_.size() || (units_[at] & (1U << 31 | 0xFFU)) != byte) break;
    const bool is_key = (units_[at] >> 8 & 1U) != 0;
    at ^= offset_of(units_[at]);
    if (!is_key || at >= units_.size()) continue;
    const size_t value = units_[at] & ~(1U << 31);
    if (value >= replacements_.size()) continue;
    longest = i + 1;
    replacement = replacements_.c_str() + value;
  }
  return longest;
}

Characters::Characters(const Model& model, const Prefixes& user_defined)
    : model_(model), user_defined_(user_defined), map_(model.characters_map) {}

std::string_view Characters::first(std::string_view text, size_t& length) const {
  std::string_view replacement;
  if ((length = user_defined_.longest(text)) > 0) return text.substr(0, length);
  if ((length = map_.find(text, replacement)) > 0) return replacement;
  length = character_length(text);
  return text.substr(0, length);
}

std::string Characters::normal(std::string_view text) const {
  const std::string_view space = model_.escapes_spaces ? space_mark : " ";
  std::string out;
  size_t length = 0;
  while (model_.removes_spaces && !text.empty() && first(text, length) == " ") text.remove_prefix(length);
  if (text.empty()) return out;
  if (model_.adds_space && !model_.space_is_suffix) out += space;
  for (bool is_behind_space = model_.removes_spaces; !text.empty(); text.remove_prefix(length)) {
    std::string_view part = first(text, length);
    while (is_behind_space && !part.empty() && part.front() == ' ') part.remove_prefix(1);
    if (part.empty()) continue;
    for (const char c : part) c == ' ' ? out += space : out += c;
    is_behind_space = model_.removes_spaces && part.back() == ' ';
  }
  const auto ends_with_space = [&] {
    return out.size() >= space.size() && out.compare(out.size() - space.size(), space.size(), space) == 0;
  };
  while (model_.removes_spaces && ends_with_space()) out.resize(out.size() - space.size());
  if (model_.adds_space && model_.space_is_suffix) out += space;
  return out;
}

}  // namespace text::sentencepiece
