// The data module csv in a test.
#pragma once
#include <string>
#include <vector>

#include "catch.hpp"
#include "levin/testing.hpp"
#include "temp_folder.hpp"

using levin::Split;
using levin::testing::Component;
using levin::testing::FakeHost;
using levin::testing::Options;

struct Csv {
  FakeHost host;
  Component data;
  explicit Csv(const Options& options, levin::Stage stage = levin::Stage::fit) : data(host, "csv", options) {
    levin::testing::setup(data, stage);
  }
  // Uses the state of a checkpoint, which the host loads before and after setup.
  Csv(const Options& options, const levin::testing::State& state, levin::Stage stage = levin::Stage::predict)
      : data(host, "csv", options) {
    data.load(state);
    levin::testing::setup(data, stage);
    data.load(state);
  }
  int64_t rows(Split split) {
    try {
      return levin::testing::describe(data, split).rows;
    } catch (const levin::Error&) {
      return 0;
    }
  }
  std::vector<std::string> classes() {
    const levin_field& y = levin::testing::describe(data, Split::train).fields[1];
    return {y.class_names, y.class_names + y.classes};
  }
  // Every row: its inputs, then its targets.
  std::vector<std::vector<double>> all(Split split) {
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < rows(split); ++i) indices.push_back(i);
    std::vector<std::vector<double>> out(indices.size());
    if (indices.empty()) return out;
    const levin::testing::Rows filled = levin::testing::fill(data, split, indices);
    for (size_t field = 0; field < 2; ++field) {
      int64_t width = 1;
      for (size_t d = 1; d < filled.shapes[field].size(); ++d) width *= filled.shapes[field][d];
      for (int64_t i = 0; i < rows(split) * width; ++i)
        out[static_cast<size_t>(i / width)].push_back(filled.at(field, i));
    }
    return out;
  }
  std::string said() const {
    std::string text;
    for (const auto& message : host.messages) text += message.second + "\n";
    return text;
  }
};
