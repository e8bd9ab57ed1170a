#include "format_spec.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

#include "levin/util/text.hpp"

namespace levin::model_checkpoint {
namespace {

struct Spec {
  char fill = ' ', align = '>', sign = '-', grouping = 0, type = 0;
  bool alternate = false;
  int width = 0, precision = -1;
};

bool is_align(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

int digits(const std::string& text, size_t& at) {
  int n = 0;
  while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) && n < 1000)
    n = n * 10 + (text[at++] - '0');
  return n;
}

Spec parse(const std::string& text) {
  Spec s;
  size_t at = 0;
  const auto next_is = [&](const char* set) {
    return at < text.size() && std::string(set).find(text[at]) != std::string::npos;
  };
  if (text.size() > 1 && is_align(text[1])) {
    s.fill = text[0], s.align = text[1], at = 2;
  } else if (!text.empty() && is_align(text[0])) {
    s.align = text[0], at = 1;
  }
  const bool aligned = at > 0;
  if (next_is("+- ")) s.sign = text[at++];
  if (next_is("#")) s.alternate = true, ++at;
  if (next_is("0")) {
    if (!aligned) s.fill = '0', s.align = '=';
    ++at;
  }
  s.width = digits(text, at);
  if (next_is(",_")) s.grouping = text[at++];
  if (next_is(".")) {
    const size_t start = ++at;
    s.precision = digits(text, at);
    if (at == start) throw std::invalid_argument("a precision is missing");
  }
  if (at < text.size()) s.type = text[at++];
  if (at != text.size()) throw std::invalid_argument("a format that Python does not know");
  return s;
}

std::string print(const char* format, int precision, double value) {
  std::string out(static_cast<size_t>(std::snprintf(nullptr, 0, format, precision, value)), '\0');
  std::snprintf(&out[0], out.size() + 1, format, precision, value);
  return out;
}

// Formats a float without a type letter. Like g, but returns "1.0" instead of "1" and switches to an exponent one digit
// earlier.
std::string general(double size, int precision) {
  if (precision < 0) return shortest(size);
  precision = std::max(precision, 1);
  std::string out = print("%.*g", precision, size);
  if (out.find_first_of(".e") != std::string::npos) return out;
  if (static_cast<int>(out.size()) < precision || out == "0") return out + ".0";
  out = print("%.*e", precision - 1, size);
  const size_t e = out.find('e'), last = out.find_last_not_of("0.", e - 1);
  if (out.find('.') != std::string::npos) out.erase(last + 1, e - last - 1);
  return out;
}

std::string float_text(double size, const Spec& s) {
  const bool upper = std::isupper(static_cast<unsigned char>(s.type)) != 0;
  if (std::isnan(size)) return upper ? "NAN" : "nan";
  if (std::isinf(size)) return std::string(upper ? "INF" : "inf") + (s.type == '%' ? "%" : "");
  const int precision = s.precision < 0 ? 6 : s.precision;
  const std::string hash = s.alternate ? "#" : "";
  switch (s.type) {
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return print(("%" + hash + ".*" + s.type).c_str(), precision, size);
    case 'n':
      return print(("%" + hash + ".*g").c_str(), precision, size);
    case '%':
      return print(("%" + hash + ".*f").c_str(), precision, size * 100) + "%";
    case 0:
      return general(size, s.precision);
    default:
      throw std::invalid_argument(std::string("format code '") + s.type + "' is not for a float");
  }
}

std::string in_base(uint64_t value, unsigned base, bool upper) {
  const std::string digit = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string out;
  do {
    out.insert(out.begin(), digit[value % base]);
    value /= base;
  } while (value != 0);
  return out;
}

std::string int_text(double size, const Spec& s) {
  if (s.type && std::string("eEfFgG%").find(s.type) != std::string::npos) return float_text(size, s);
  if (s.precision >= 0) throw std::invalid_argument("an integer has no precision");
  const uint64_t value = static_cast<uint64_t>(size);
  switch (s.type) {
    case 0:
    case 'd':
    case 'n':
      return in_base(value, 10, false);
    case 'b':
      return (s.alternate ? "0b" : "") + in_base(value, 2, false);
    case 'o':
      return (s.alternate ? "0o" : "") + in_base(value, 8, false);
    case 'x':
      return (s.alternate ? "0x" : "") + in_base(value, 16, false);
    case 'X':
      return (s.alternate ? "0X" : "") + in_base(value, 16, true);
    default:
      throw std::invalid_argument(std::string("format code '") + s.type + "' is not for an integer");
  }
}

void group_thousands(std::string& text, char separator) {
  size_t end = 0;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
  for (size_t i = end; i > 3; i -= 3) text.insert(i - 3, 1, separator);
}

std::string align(const std::string& sign, const std::string& text, const Spec& s) {
  const size_t n = sign.size() + text.size(), width = static_cast<size_t>(s.width);
  if (n >= width) return sign + text;
  const size_t gap = width - n;
  switch (s.align) {
    case '<':
      return sign + text + std::string(gap, s.fill);
    case '=':
      return sign + std::string(gap, s.fill) + text;
    case '^':
      return std::string(gap / 2, s.fill) + sign + text + std::string(gap - gap / 2, s.fill);
    default:
      return std::string(gap, s.fill) + sign + text;
  }
}

}  // namespace

std::string format_number(const Number& number, const std::string& spec) {
  const Spec s = parse(spec);
  const double size = std::fabs(number.value);
  std::string text = number.integral ? int_text(size, s) : float_text(size, s);
  if (s.grouping) group_thousands(text, s.grouping);
  const bool negative = std::signbit(number.value) && !std::isnan(number.value) && !(number.integral && size == 0);
  const std::string sign = negative ? "-" : s.sign == '-' ? "" : std::string(1, s.sign);
  return align(sign, text, s);
}

}  // namespace levin::model_checkpoint
