// Lets the processes of several sides take turns: each runs an epoch when it is told, and answers with its cost.
#pragma once
#include <fstream>
#include <string>

#include "bench/cost.hpp"

namespace levin_bench {

class Turns {
 public:
  // The folder has two FIFOs: `go`, which gets a line for each epoch, and `done`.
  explicit Turns(const std::string& folder) : go_(folder + "/go"), done_(folder + "/done"), end_(Cost::now()) {}

  bool wait() {
    std::string line;
    const bool told = static_cast<bool>(std::getline(go_, line));
    begin_ = Cost::now();
    return told;
  }
  // Processor time is counted from the last turn on, because a loader may work between turns.
  void done() {
    const Cost now = Cost::now();
    nlohmann::json cost = now.since(end_).json();
    cost["wall"] = now.wall - begin_.wall;
    cost["peak_mib"] = peak_mebibytes();
    end_ = now;
    done_ << cost.dump() << std::endl;
  }

 private:
  std::ifstream go_;
  std::ofstream done_;
  Cost begin_{}, end_;
};

}  // namespace levin_bench
