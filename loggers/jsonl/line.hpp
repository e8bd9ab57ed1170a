// One line of metrics.jsonl: {"step":12,"time":1700000000.5,"epoch":0,"metrics":{"loss":0.25}}.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace levin::jsonl {

using Values = std::vector<std::pair<std::string, double>>;

// A metric "epoch" is written outside of "metrics". JSON has no numbers that are not finite, so these are the strings
// "NaN", "Infinity" and "-Infinity".
std::string line(int64_t step, double time, const Values& values);

// The first line of a run that has a name or tags: {"run":"baseline","tags":["a","b"]}.
std::string run_line(const std::string& name, const std::vector<std::string>& tags);

// The whole lines among the first bytes of the text.
std::string whole_lines(const std::string& text, uint64_t bytes);

// The lines of the text for steps up to this one. A last line that was cut off is left out.
std::string lines_until(const std::string& text, int64_t step);

}  // namespace levin::jsonl
