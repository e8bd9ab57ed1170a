#include "characters_map.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <protozero/pbf_reader.hpp>
#include <string_view>
#include <vector>

namespace text {
namespace {

// A double array of darts-clone: what begins a text is found unit by unit. A unit at `position` leads to the units at
// position ^ offset ^ character, and, if a key ends there, to its value at position ^ offset.
class Map {
 public:
  Map(std::string_view units, size_t replacements) : units_(units.size() / 4), replacements_(replacements) {
    std::memcpy(units_.data(), units.data(), units_.size() * 4);
    leaves_.assign(units_.size(), not_visited);
  }
  bool is_sound() { return !units_.empty() && leaves_from(0, 0) >= 0; }

 private:
  static constexpr int8_t not_visited = -2, is_open = -1;
  static constexpr int most_keys = 32;      // that begin a text: the library has room for so many
  static constexpr int longest_key = 1000;  // in bytes

  static uint32_t offset_of(uint32_t unit) { return (unit >> 10) << ((unit & (1U << 9)) >> 6); }

  // Returns the largest number of keys on a way from the unit's children; -1 = a way leaves the memory, or has no end.
  int leaves_from(uint32_t position, int depth) {
    if (leaves_[position] == is_open || depth > longest_key) return -1;
    if (leaves_[position] != not_visited) return leaves_[position];
    leaves_[position] = is_open;
    const uint32_t base = position ^ offset_of(units_[position]);
    int most = 0;
    for (uint32_t character = 0; character < 256; ++character) {
      const uint32_t next = base ^ character;
      if (next >= units_.size()) return -1;
      if ((units_[next] & (1U << 31 | 0xFFU)) != character || (character == 0 && next == position)) continue;
      const bool is_key = (units_[next] >> 8 & 1) != 0;
      if (is_key && !has_value(next ^ offset_of(units_[next]))) return -1;
      const int below = leaves_from(next, depth + 1);
      if (below < 0) return -1;
      most = std::max(most, below + (is_key ? 1 : 0));
    }
    if (most > most_keys) return -1;
    leaves_[position] = static_cast<int8_t>(most);
    return most;
  }
  bool has_value(uint32_t position) const {
    return position < units_.size() && (units_[position] & ~(1U << 31)) < replacements_;
  }

  std::vector<uint32_t> units_;
  size_t replacements_;  // bytes
  std::vector<int8_t> leaves_;
};

// Four bytes with the size of the units, the units, and the replacements.
bool is_sound(protozero::data_view map) {
  if (map.size() == 0) return true;
  uint32_t size = 0;
  if (map.size() <= sizeof size) return false;
  std::memcpy(&size, map.data(), sizeof size);
  if (size >= map.size() - sizeof size) return false;
  return Map({map.data() + sizeof size, size}, map.size() - sizeof size - size).is_sound();
}

}  // namespace

bool has_sound_maps(const std::string& model) try {
  constexpr auto bytes = protozero::pbf_wire_type::length_delimited;
  constexpr uint32_t normalizer = protozero::tag_and_type(3, bytes), denormalizer = protozero::tag_and_type(5, bytes);
  constexpr uint32_t characters_map = protozero::tag_and_type(2, bytes);
  protozero::pbf_reader all(model);
  while (all.next()) {
    if (all.tag_and_type() != normalizer && all.tag_and_type() != denormalizer) {
      all.skip();
      continue;
    }
    protozero::pbf_reader part = all.get_message();
    while (part.next())
      if (part.tag_and_type() != characters_map)
        part.skip();
      else if (!is_sound(part.get_view()))
        return false;
  }
  return true;
} catch (const protozero::exception&) {
  return false;
}

}  // namespace text
