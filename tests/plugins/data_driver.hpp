// A data module in a test: set up, described and read as the host does it.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "levin/testing.hpp"

struct FilledRows {
  std::vector<float> x;
  std::vector<int64_t> y;
  std::vector<float> probabilities;  // in place of y, if the field has the probabilities of classes
  std::vector<float> second;         // the second view, if there is one
};

class DataDriver {
 public:
  DataDriver(const char* id, const levin::testing::Options& options) : data_(host_, id, options) {
    check(table().setup(data_.self(), LEVIN_STAGE_FIT));
  }

  // rows is 0 if the split does not exist.
  levin_split describe(uint32_t split) {
    levin_split out{};
    out.size = sizeof out;
    const levin_status status = table().describe(data_.self(), split, 0, &out);
    if (status == LEVIN_E_UNSUPPORTED) return levin_split{};
    check(status);
    return out;
  }
  int64_t rows(uint32_t split) { return describe(split).rows; }

  // Reads the fields x (float32) and y (int64, or float32 for probabilities).
  FilledRows fill(uint32_t split, const std::vector<int64_t>& indices, int64_t epoch = 0, uint64_t seed = 1) {
    const levin_split described = describe(split);
    size_t row_size = 1;
    for (int32_t d = 0; d < described.fields[0].ndim; ++d)
      row_size *= static_cast<size_t>(described.fields[0].shape[d]);
    const levin_field& y = described.fields[1];
    size_t labels = 1;  // of a row: one, or one for each pixel
    for (int32_t d = 0; d < y.ndim && y.dtype.code == LEVIN_INT; ++d) labels *= static_cast<size_t>(y.shape[d]);
    FilledRows rows{
        std::vector<float>(indices.size() * row_size), std::vector<int64_t>(indices.size() * labels), {}, {}};
    if (y.dtype.code == LEVIN_FLOAT) rows.probabilities.resize(indices.size() * static_cast<size_t>(y.classes));
    if (described.n_fields > 2) rows.second.resize(rows.x.size());
    levin_view views[3] = {};
    views[0].data = rows.x.data();
    views[1].data = rows.probabilities.empty() ? static_cast<void*>(rows.y.data()) : rows.probabilities.data();
    views[2].data = rows.second.data();
    levin_fill in{};
    in.size = sizeof in;
    in.split = split;
    in.indices = indices.data();
    in.n = static_cast<int64_t>(indices.size());
    in.epoch = epoch;
    in.seed = seed;
    check(table().fill(data_.self(), &in, views));
    return rows;
  }
  // Reads x as bytes, as the host does for a GPU. Returns the largest difference between the numbers that the module's
  // scale gives and those of fill(); infinity if the module does not write x as bytes.
  float error_of_bytes(uint32_t split, const std::vector<int64_t>& indices, int64_t epoch = 0, uint64_t seed = 1) {
    const auto* bytes = static_cast<const levin_byte_fields*>(data_.extension(LEVIN_BYTE_FIELDS));
    levin_byte_scale scale{};
    scale.size = sizeof scale;
    if (!bytes || bytes->scale(data_.self(), 1, &scale) != LEVIN_E_UNSUPPORTED ||
        bytes->scale(data_.self(), 0, &scale) != LEVIN_OK)
      return std::numeric_limits<float>::infinity();
    const FilledRows numbers = fill(split, indices, epoch, seed);
    std::vector<uint8_t> x(numbers.x.size());
    std::vector<char> y(sizeof(int64_t) * numbers.y.size() + sizeof(float) * numbers.probabilities.size());
    levin_view views[2] = {};
    views[0].data = x.data();
    views[0].dtype = levin::uint8;
    views[1].data = y.data();
    levin_fill in{};
    in.size = sizeof in;
    in.split = split;
    in.indices = indices.data();
    in.n = static_cast<int64_t>(indices.size());
    in.epoch = epoch;
    in.seed = seed;
    check(table().fill(data_.self(), &in, views));
    const size_t plane = x.size() / indices.size() / scale.channels;
    float error = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t c = i / plane % scale.channels;
      error = std::max(error, std::abs(static_cast<float>(x[i]) * scale.scale[c] + scale.shift[c] - numbers.x[i]));
    }
    return error;
  }
  // Returns the warnings up to now, a line each.
  std::string warnings() const {
    std::string text;
    for (const auto& [level, message] : host_.messages)
      if (level == LEVIN_LOG_WARNING) text += message + "\n";
    return text;
  }
  std::vector<int64_t> all(uint32_t split) {
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < rows(split); ++i) indices.push_back(i);
    return indices;
  }

 private:
  const levin_data& table() const { return data_.table<levin_data>(); }
  void check(levin_status status) {
    if (status < 0) throw levin::Error(status, host_.failure);
  }
  levin::testing::FakeHost host_;
  levin::testing::Component data_;
};
