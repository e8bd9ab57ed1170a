// One line of metrics.jsonl: {"step":12,"time":1700000000.5,"epoch":0,"metrics":{"loss":0.25}}.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace levin::jsonl {

using Values = std::vector<std::pair<std::string, double>>;

// Returns a line. The metric "epoch" is written outside of "metrics". Non-finite numbers, which JSON lacks, are the
// strings "NaN", "Infinity" and "-Infinity".
std::string line(int64_t step, double time, const Values& values);

// The first line of a run that has a name or tags: {"run":"baseline","tags":["a","b"]}.
std::string run_line(const std::string& name, const std::vector<std::string>& tags);

// Returns the complete lines within the first `bytes` bytes of the text.
std::string whole_lines(const std::string& text, uint64_t bytes);

// Returns the lines of the text up to this step. An incomplete last line is left out.
std::string lines_until(const std::string& text, int64_t step);

}  // namespace levin::jsonl
