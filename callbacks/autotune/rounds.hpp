// Compares values of a setting by rounds in which each of them is measured once, so that a change of the machine's load
// meets all of them.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace levin::autotune {

constexpr double least_gain = 1.05;                   // of the median of the ratios of a round
constexpr size_t least_rounds = 5, most_rounds = 11;  // of a value that is chosen

struct Candidate {
  int64_t value;
  std::vector<double> seconds;  // a step, by rounds
  std::string failure;          // why a step with this value failed; "" = it did not
  bool dropped = false;         // is not faster: not measured any more
};

double median(std::vector<double> values);  // 0 without values

// Returns the median of the ratios of the rounds that both have been measured in; above 1: `candidate` is faster.
double speedup(const Candidate& base, const Candidate& candidate);
// Returns true if it is faster by least_gain, in at least three of four rounds, and in least_rounds.
bool wins(const Candidate& base, const Candidate& candidate);

// Seconds of a step with this value; throws levin::Error if a step fails.
using Measure = std::function<double(int64_t value)>;

// Measures in rounds until the result is clear or `may_go_on` returns false. The first candidate is the present value,
// whose errors are thrown. Returns the index of the value to choose.
size_t compare(std::vector<Candidate>& candidates, const Measure& measure, const std::function<bool()>& may_go_on);

}  // namespace levin::autotune
