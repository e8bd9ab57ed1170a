// Fits of the models of shared_fits.cpp, in one or several processes.
#pragma once
#include <cmath>
#include <cstring>

#include "catch.hpp"
#include "host_process/sandbox.hpp"
#include "saved.hpp"

inline const std::string devices = " --trainer.devices ";

// Twelve rows, not shuffled; the global batch has four rows.
inline Outcome fit(const Sandbox& box, int processes, const std::string& words) {
  return box.bare(
      "fit", with_defaults(
                 {"--model shared ", "--trainer.max_epochs 2 ", "--data.train 12 ", "--data.shuffle false ",
                  "--data.batch_size " + std::to_string(4 / processes) + " ", "--callback.model_checkpoint.monitor '' ",
                  "--callback.model_checkpoint.save_last true ", "--trainer.accelerator cpu "},
                 words + devices + std::to_string(processes)));
}

// Returns the epoch and batch of the last batch that a process completed, e.g. "1 2".
inline std::string last_batch(const Outcome& outcome, int rank) {
  const std::string begin = std::to_string(rank) + ": ends ";
  const auto ends = starting(outcome.trace, begin);
  return ends.empty() ? "" : ends.back().substr(begin.size());
}

using Weights = std::map<std::string, std::vector<float>>;

inline Weights weights_in(const std::string& path) {
  const levin::core::SafetensorsReader file(path);
  Weights out;
  for (const std::string& name : file.names()) {
    if (name.compare(0, 10, "state_dict") != 0 || file.tensor(name).dtype != "F32") continue;
    const std::string bytes = bytes_of(file, name);
    out[name].resize(bytes.size() / sizeof(float));
    std::memcpy(out[name].data(), bytes.data(), bytes.size());
  }
  return out;
}

// Returns the largest absolute difference between corresponding weights; INFINITY if their names or sizes differ.
inline double apart(const Weights& a, const Weights& b) {
  double most = a.empty() || a.size() != b.size() ? INFINITY : 0;
  for (const auto& [name, values] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second.size() != values.size()) return INFINITY;
    for (size_t i = 0; i < values.size(); ++i) most = std::fmax(most, std::fabs(values[i] - other->second[i]));
  }
  return most;
}
