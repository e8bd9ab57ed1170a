#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "report/report.hpp"
#include "report/write_document.hpp"
#include "runs/run_row.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_report(ErrorCode code, const std::string& what) { throw Error(code, "host report: " + what); }

// The runs that are named, and those in the folders that are named.
std::vector<report::ReportedRun> named_runs(const std::vector<std::string>& names) {
  std::vector<report::ReportedRun> out;
  for (const std::string& name : names) {
    const fs::path folder = absolute_path(name);
    if (!is_folder(folder))
      refuse_report(ErrorCode::folder_not_found,
                    "there is no folder '" + folder.string() + "'; host runs lists the runs");
    const RunList list = runs_in_folder(folder);
    if (list.rows.empty()) refuse_report(ErrorCode::not_a_run_folder, "no runs are in '" + folder.string() + "'");
    for (const RunRow& row : list.rows) out.push_back(report::read_reported_run(row));
  }
  return out;
}

}  // namespace

int report_command(const std::vector<std::string>& arguments) {
  const size_t any = static_cast<size_t>(-1);
  const Arguments given = read_arguments({"report", {"force"}, {"output"}, any}, arguments);
  if (given.names.empty())
    refuse_report(ErrorCode::argument_missing,
                  "no run is named; name one or more run folders: host report levin_logs/version_0");
  const std::string output = given.value("output").empty() ? "report.html" : given.value("output");
  report::check_document_name(output, "host report");
  const report::Document document = report::make_report(named_runs(given.names));
  const fs::path file = report::write_document(document, output, given.has("force"), "host report");
  std::printf("%s\n", printable(file.string()).c_str());
  return 0;
}

}  // namespace levin::core
