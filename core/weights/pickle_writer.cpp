#include "core/weights/pickle_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace levin::core {
namespace {

std::string little_endian(uint64_t value, size_t bytes) {
  std::string out;
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

}  // namespace

PickleWriter::PickleWriter() : bytes_("\x80\x02", 2) {}

void PickleWriter::text(std::string_view utf8) { (bytes_ += 'X').append(little_endian(utf8.size(), 4)).append(utf8); }

void PickleWriter::integer(int64_t number) {
  const auto bits = static_cast<uint64_t>(number);
  if (bits <= 0xff)
    (bytes_ += 'K').append(little_endian(bits, 1));
  else if (bits <= 0xffff)
    (bytes_ += 'M').append(little_endian(bits, 2));
  else if (number >= std::numeric_limits<int32_t>::min() && number <= std::numeric_limits<int32_t>::max())
    (bytes_ += 'J').append(little_endian(bits, 4));
  else
    (bytes_ += "\x8a\x08").append(little_endian(bits, 8));
}

void PickleWriter::boolean(bool value) { bytes_ += value ? '\x88' : '\x89'; }

void PickleWriter::real(double number) {
  uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  std::string big_endian = little_endian(bits, sizeof bits);
  std::reverse(big_endian.begin(), big_endian.end());
  (bytes_ += 'G').append(big_endian);
}

void PickleWriter::none() { bytes_ += 'N'; }

void PickleWriter::global(std::string_view module, std::string_view name) {
  (bytes_ += 'c').append(module).append("\n").append(name).append("\n");
}

void PickleWriter::mark() { bytes_ += '('; }
void PickleWriter::tuple() { bytes_ += 't'; }
void PickleWriter::call() { bytes_ += 'R'; }
void PickleWriter::persistent() { bytes_ += 'Q'; }
void PickleWriter::set_items() { bytes_ += 'u'; }
void PickleWriter::dict() { bytes_ += '}'; }
void PickleWriter::list() { bytes_ += ']'; }
void PickleWriter::append_items() { bytes_ += 'e'; }

void PickleWriter::integers(const std::vector<uint64_t>& numbers) {
  mark();
  for (const uint64_t number : numbers) integer(static_cast<int64_t>(number));
  tuple();
}

void PickleWriter::ordered_dict() {
  global("collections", "OrderedDict");
  bytes_ += ')';
  call();
}

std::string PickleWriter::take() {
  bytes_ += '.';
  return std::move(bytes_);
}

}  // namespace levin::core
