// What was measured, as lines for the user and as JSON for the run folder.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rounds.hpp"
#include "settings.hpp"

namespace levin::autotune {

struct ReportRow {
  const Setting* setting;
  std::vector<Candidate> tried;  // the value at the start first
  size_t chosen = 0;             // of `tried`
  std::string remark;            // why nothing was tried; "" = something was
};

struct Report {
  std::vector<ReportRow> rows;
  double seconds = 0;  // of all measurements

  std::string text() const;  // fits into 80 columns
  nlohmann::json to_json() const;
};

}  // namespace levin::autotune
