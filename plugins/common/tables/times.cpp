#include "times.hpp"

#include <cmath>
#include <cstdint>

#include "values.hpp"

namespace tables {
namespace {

constexpr double seconds_a_day = 86400;

// The number of days since 1970-01-01 in the Gregorian calendar.
int64_t days_since_1970(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
  const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int64_t days_in(int64_t year, int64_t month) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Reads a text from its front.
class TimeText {
 public:
  explicit TimeText(std::string_view text) : text_(text) {}
  bool at_end() const { return text_.empty(); }
  bool skip(char c) {
    const bool there = !text_.empty() && text_[0] == c;
    if (there) text_.remove_prefix(1);
    return there;
  }
  // Reads a number of exactly so many digits in the range.
  bool number(size_t digits, int64_t least, int64_t most, int64_t& out) {
    if (text_.size() < digits) return false;
    out = 0;
    for (const char c : text_.substr(0, digits)) {
      if (c < '0' || c > '9') return false;
      out = out * 10 + (c - '0');
    }
    text_.remove_prefix(digits);
    return out >= least && out <= most;
  }
  double fraction() {
    double value = 0, unit = 0.1;
    for (; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; text_.remove_prefix(1), unit /= 10)
      value += unit * (text_[0] - '0');
    return value;
  }

 private:
  std::string_view text_;
};

bool read_zone(TimeText& reader, double& seconds) {
  if (reader.skip('Z')) return true;
  const bool east = reader.skip('+');
  if (!east && !reader.skip('-')) return true;
  int64_t hours = 0, minutes = 0;
  if (!reader.number(2, 0, 18, hours)) return false;
  reader.skip(':');
  if (!reader.at_end() && !reader.number(2, 0, 59, minutes)) return false;
  seconds += static_cast<double>((hours * 60 + minutes) * 60) * (east ? -1 : 1);
  return true;
}

bool read_clock(TimeText& reader, double& seconds) {
  int64_t hours = 0, minutes = 0, whole = 0;
  if (!reader.number(2, 0, 23, hours) || !reader.skip(':') || !reader.number(2, 0, 59, minutes)) return false;
  if (reader.skip(':') && !reader.number(2, 0, 60, whole)) return false;
  seconds += static_cast<double>((hours * 60 + minutes) * 60 + whole);
  if (reader.skip('.') || reader.skip(',')) seconds += reader.fraction();
  reader.skip(' ');
  return read_zone(reader, seconds);
}

std::optional<double> date_in(std::string_view text, bool needs_day) {
  TimeText reader(trimmed(text));
  int64_t year = 0, month = 0, day = 1;
  if (!reader.number(4, 0, 9999, year) || !reader.skip('-') || !reader.number(2, 1, 12, month)) return std::nullopt;
  if (reader.skip('-')) {
    if (!reader.number(2, 1, days_in(year, month), day)) return std::nullopt;
  } else if (needs_day || !reader.at_end()) {
    return std::nullopt;
  }
  double seconds = static_cast<double>(days_since_1970(year, month, day)) * seconds_a_day;
  if ((reader.skip('T') || reader.skip(' ')) && !read_clock(reader, seconds)) return std::nullopt;
  return reader.at_end() ? std::optional<double>(seconds) : std::nullopt;
}

}  // namespace

std::optional<double> time_in(std::string_view text) {
  const std::optional<double> date = date_in(text, false);
  return date ? date : number_in(text);
}

bool is_full_date(std::string_view text) { return date_in(text, true).has_value(); }

void write_cycles(double seconds, float* out) {
  constexpr double pi = 3.14159265358979323846;
  for (const double days : {1.0, 7.0, 365.2425}) {
    const double angle = 2 * pi * std::fmod(seconds / (days * seconds_a_day), 1.0);
    *out++ = static_cast<float>(std::sin(angle));
    *out++ = static_cast<float>(std::cos(angle));
  }
}

}  // namespace tables
