// What the text of a cell means.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace csv_data {

// The text without blanks at its ends.
std::string_view trimmed(std::string_view text);

// A finite number that a float can hold, as "3", "-1.5e3" or "+2"; texts such as "inf" and "1e999" are none.
std::optional<double> number_in(std::string_view text);
// A number that no float can hold, or infinity.
bool is_infinite(std::string_view text);

// A number with a decimal comma, as "1,5".
bool has_decimal_comma(std::string_view text);

// The digits of a number's text, without sign, point and exponent's letter.
std::string digits_of(std::string_view text);
// Numbers of more digits may differ in the file and be equal as doubles.
inline constexpr size_t kept_digits = 15;

// 3 as "3", 0.5 as "0.5".
std::string text_of(double number);
// The category that a cell of this number names: "7" for "7.0"; the cell's own text where it has more digits than a
// double keeps.
std::string category_of(std::string_view cell, double number);

// Which texts stand for no value: the empty one, infinite numbers and those of a list.
class MissingTexts {
 public:
  explicit MissingTexts(const std::string& list);  // "NA, ?"
  bool operator()(std::string_view text) const;

 private:
  std::set<std::string, std::less<>> texts_;
};

}  // namespace csv_data
