// The meaning of a cell's text.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tables {

// Returns the text without blanks at its ends.
std::string_view trimmed(std::string_view text);

// Returns a finite number that a float can hold, such as "3", "-1.5e3" or "+2"; nullopt for texts such as "inf" and
// "1e999".
std::optional<double> number_in(std::string_view text);
// Returns true for infinity and for a number that no float can hold.
bool is_infinite(std::string_view text);

// Returns true for a number with a decimal comma, such as "1,5".
bool has_decimal_comma(std::string_view text);
// Returns true for a number with commas between thousands, such as "1,000" or "-12,345,678.9".
bool has_thousands_comma(std::string_view text);

// Returns the digits of a number's text, without sign, point and exponent letter.
std::string digits_of(std::string_view text);
// Different numbers with more digits may be equal as doubles.
inline constexpr size_t kept_digits = 15;

// Returns 3 as "3" and 0.5 as "0.5".
std::string text_of(double number);
// Returns the category for a cell with this number: "7" for "7.0", or the cell's text if it has more digits than a
// double keeps.
std::string category_of(std::string_view cell, double number);

// The texts that mean a missing value: the empty text, infinite numbers and the texts of a list.
class MissingTexts {
 public:
  explicit MissingTexts(const std::string& list);  // "NA, ?"
  bool operator()(std::string_view text) const;

 private:
  std::set<std::string, std::less<>> texts_;
};

}  // namespace tables
