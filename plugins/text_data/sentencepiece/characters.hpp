// How a SentencePiece model changes a text before it is cut into pieces.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model.hpp"
#include "prefixes.hpp"

namespace text::sentencepiece {

inline constexpr std::string_view space_mark = "\xe2\x96\x81";  // U+2581

// Returns the bytes of the character that begins a text, by its first byte.
inline size_t character_length(std::string_view text) {
  static constexpr uint8_t lengths[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
  const size_t length = lengths[static_cast<uint8_t>(text.front()) >> 4];
  return length < text.size() ? length : text.size();
}

// The characters map: keys and their replacements in a double array of darts-clone.
class CharactersMap {
 public:
  CharactersMap() = default;
  // map: as in the file. A map that is damaged finds less.
  explicit CharactersMap(std::string_view map);
  // Returns the length of the longest key that begins the text, and its replacement; 0 = none.
  size_t find(std::string_view text, std::string_view& replacement) const;

 private:
  std::vector<uint32_t> units_;
  std::string replacements_;  // each ends with a zero
};

class Characters {
 public:
  // user_defined: their symbols are left as they are. Both must outlive this.
  Characters(const Model& model, const Prefixes& user_defined);
  std::string normal(std::string_view text) const;

 private:
  // Returns what the beginning of the text becomes, and its length.
  std::string_view first(std::string_view text, size_t& length) const;

  const Model& model_;
  const Prefixes& user_defined_;
  CharactersMap map_;
};

}  // namespace text::sentencepiece
