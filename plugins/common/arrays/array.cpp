#include "array.hpp"

#include "levin/error.hpp"

namespace arrays {
namespace {

constexpr int64_t max_rows = (int64_t{1} << 32) - 1;
constexpr int64_t max_row_size = int64_t{1} << 40;
constexpr size_t max_dimensions = 7;  // a row has at most six

}  // namespace

std::string joined(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

std::vector<int64_t> Array::row_shape() const {
  const std::vector<int64_t> all = shape();
  return {all.begin() + 1, all.end()};
}

std::string Array::text() const { return joined(shape()) + " of " + dtype(); }

void Array::check_shape() {
  const std::vector<int64_t> all = shape();
  const auto fail = [this](const std::string& what) { throw levin::Error(LEVIN_E_IO, name() + " " + what); };
  if (all.empty()) fail("is a single number; rows need an array with at least one dimension");
  if (all.size() > max_dimensions) fail("has " + std::to_string(all.size()) + " dimensions; 1 to 7 are read");
  for (const int64_t size : all)
    if (size == 0) fail("is empty: its shape is " + joined(all));
  if (all[0] > max_rows) fail("has " + std::to_string(all[0]) + " rows; up to 4294967295 are read");
  for (size_t i = 1; i < all.size(); ++i) {
    if (all[i] > max_row_size / row_size_) fail("has rows of " + joined(row_shape()) + " elements, which are too many");
    row_size_ *= all[i];
  }
}

std::string usual_or_only(const std::vector<std::string>& names, const std::string& usual) {
  const std::string other = usual == "x" ? "y" : "x";
  return names.size() == 1 && names[0] != other ? names[0] : usual;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr size_t most = 20;
  std::string text;
  for (size_t i = 0; i < names.size() && i < most; ++i) text += (i ? ", " : "") + names[i];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

}  // namespace arrays
