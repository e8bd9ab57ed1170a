#include "encoder.hpp"

#include <algorithm>
#include <cmath>

#include "times.hpp"

namespace tables {

Encoder::Code Encoder::code_of(const Column& column, const ColumnStatistics& s) {
  Code code{s.kind, s.shift, s.scale, s.fill, {}, -1, s.width()};
  const auto place = [&](const std::string& text) {
    const auto at = std::find(s.categories.begin(), s.categories.end(), text);
    return at == s.categories.end() ? -1 : static_cast<int32_t>(at - s.categories.begin());
  };
  for (const std::string& text : column.texts) code.place.push_back(place(text));
  code.missing = place("");
  return code;
}

Encoder::Encoder(const Table& table, const Statistics& statistics) {
  for (size_t i = 0; i < table.inputs().size(); ++i) {
    inputs_.push_back(code_of(table.inputs()[i], statistics.inputs[i]));
    width_ += inputs_.back().width;
  }
  for (size_t i = 0; i < table.targets().size(); ++i)
    targets_.push_back(code_of(table.targets()[i], statistics.targets[i]));
}

int32_t Encoder::place_of(const Code& code, double value) {
  return std::isnan(value) ? code.missing : code.place[static_cast<size_t>(value)];
}

void Encoder::input(const Table& table, uint32_t row, float* out) const {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Code& code = inputs_[i];
    const double value = table.inputs()[i].values[row];
    if (code.kind != Kind::category) {
      const double number = std::isnan(value) ? code.fill : value;
      *out++ = static_cast<float>((number - code.shift) / code.scale);
      if (code.kind == Kind::date) write_cycles(number, out), out += cycle_numbers;
      continue;
    }
    std::fill(out, out + code.width, 0.0f);
    const int32_t place = place_of(code, value);
    if (place >= 0) out[place] = 1;
    out += code.width;
  }
}

int64_t Encoder::class_of(const Table& table, uint32_t row) const {
  return std::max(0, place_of(targets_[0], table.targets()[0].values[row]));
}

float Encoder::number_of(const Table& table, size_t target, uint32_t row) const {
  const double value = table.targets()[target].values[row];
  return std::isnan(value) ? 0 : static_cast<float>((value - targets_[target].shift) / targets_[target].scale);
}

void Encoder::collect(const Column& column, const Code& code, const std::vector<uint32_t>& rows,
                      std::vector<Unknown>& out) {
  if (code.kind != Kind::category) return;
  std::vector<bool> told(column.texts.size());
  for (const uint32_t row : rows) {
    const double value = column.values[row];
    if (std::isnan(value) || place_of(code, value) >= 0) continue;
    const size_t text = static_cast<size_t>(value);
    if (!told[text]) out.push_back({column.type.name, column.texts[text], column.first[text]});
    told[text] = true;
  }
}

std::vector<Encoder::Unknown> Encoder::unknown_inputs(const Table& table, const std::vector<uint32_t>& rows) const {
  std::vector<Unknown> out;
  for (size_t i = 0; i < inputs_.size(); ++i) collect(table.inputs()[i], inputs_[i], rows, out);
  return out;
}

std::vector<Encoder::Unknown> Encoder::unknown_classes(const Table& table, const std::vector<uint32_t>& rows) const {
  std::vector<Unknown> out;
  collect(table.targets()[0], targets_[0], rows, out);
  return out;
}

}  // namespace tables
