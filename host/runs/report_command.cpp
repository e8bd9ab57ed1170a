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
#include "runs/run_row.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_report(const std::string& what) { throw Error(ErrorKind::usage, "host report: " + what); }

// The runs that are named, and those in the folders that are named.
std::vector<report::ReportedRun> named_runs(const std::vector<std::string>& names) {
  std::vector<report::ReportedRun> out;
  for (const std::string& name : names) {
    const fs::path folder = absolute_path(name);
    if (!is_folder(folder)) refuse_report("there is no folder '" + folder.string() + "'; host runs lists the runs");
    const RunList list = runs_in_folder(folder);
    if (list.rows.empty()) refuse_report("no runs are in '" + folder.string() + "'");
    for (const RunRow& row : list.rows) out.push_back(report::read_reported_run(row));
  }
  return out;
}

void write_new(const fs::path& file, const std::string& bytes, bool force) {
  if (is_present(file) && !force)
    refuse_report("'" + file.string() + "' exists; --output FILE names another, --force overwrites it");
  write_file_durable(file, bytes);
}

}  // namespace

int report_command(const std::vector<std::string>& arguments) {
  const size_t any = static_cast<size_t>(-1);
  const Arguments given = read_arguments({"report", {"force"}, {"output"}, any}, arguments);
  if (given.names.empty())
    refuse_report("no run is named; name one or more run folders: host report levin_logs/version_0");
  const std::string output = given.value("output").empty() ? "report.html" : given.value("output");
  const std::string ending = lower(fs::path(output).extension().string());
  const bool markdown = ending == ".md";
  if (!markdown && ending != ".html" && ending != ".htm")
    refuse_report("--output '" + output + "': the name has to end with .html or .md");
  const report::Document document = report::make_report(named_runs(given.names));
  const fs::path file = absolute_path(output);
  if (!markdown) {
    write_new(file, to_html(document), given.has("force"));
  } else {
    const std::string folder = file.stem().string() + "_figures";
    const report::MarkdownFiles files = to_markdown(document, folder);
    write_new(file, files.text, given.has("force"));
    for (const auto& [name, svg] : files.pictures)
      write_new(file.parent_path() / folder / name, svg, given.has("force"));
  }
  std::printf("%s\n", printable(file.string()).c_str());
  return 0;
}

}  // namespace levin::core
