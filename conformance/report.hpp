// The report: counts per suite, printed lines, and a JSON list.
#pragma once
#include <array>
#include <map>
#include <string>

#include "conformance/harness/compare.hpp"

namespace conformance {

class Report {
 public:
  explicit Report(bool verbose) : verbose_(verbose) {}
  void add(const Case& c, const std::string& kind, const Result& result);
  void print() const;  // prints one line per kind and suite, then the totals
  json list() const { return list_; }
  bool failed() const { return total_[static_cast<size_t>(Verdict::fail)] > 0; }

 private:
  using Counts = std::array<int, 4>;
  bool verbose_;
  std::map<std::pair<std::string, std::string>, Counts> counts_;  // by kind and suite
  Counts total_{};
  json list_ = json::array();
};

}  // namespace conformance
