// UTF-8 and the classes of characters that patterns of tokenizers ask for.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace text {

enum class Kind : uint8_t { other, letter, digit, number, mark, space };  // number: No, digit: Nd and Nl

Kind kind_of(uint32_t character);
inline bool is_letter(Kind k) { return k == Kind::letter; }                                       // \p{L}
inline bool is_number(Kind k) { return k == Kind::digit || k == Kind::number; }                   // \p{N}
inline bool is_space(Kind k) { return k == Kind::space; }                                         // \s
inline bool is_word(Kind k) { return k == Kind::letter || k == Kind::digit || k == Kind::mark; }  // \w

// A character of a text: its code point, kind and place.
struct Character {
  uint32_t code;
  Kind kind;
  size_t begin, end;  // bytes
};

// Cuts valid UTF-8 into characters.
std::vector<Character> characters_of(std::string_view text);
// Returns the character that begins at p, and the number of its bytes.
uint32_t decode(const char* p, size_t& bytes);
void append(std::string& text, uint32_t character);

// The ranges of each kind beyond ASCII (unicode_ranges.cpp).
extern const char *const letter_ranges, *const digit_ranges, *const number_ranges, *const mark_ranges;

}  // namespace text
