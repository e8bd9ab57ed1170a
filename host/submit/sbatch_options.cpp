#include "host/submit/sbatch_options.hpp"

#include <algorithm>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

std::optional<std::vector<int64_t>> numbers(const std::string& text) {
  std::vector<int64_t> out;
  for (const std::string& part : split(text, ':')) {
    if (part.empty() || part.size() > 7 || part.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    out.push_back(std::stoll(part));
  }
  if (out.empty() || out.size() > 3) return std::nullopt;
  return out;
}

// Seconds per unit of each part. Without days, one number is minutes, and two numbers are minutes and seconds.
constexpr int64_t units[2][3][3] = {{{60, 0, 0}, {60, 1, 0}, {3600, 60, 1}},
                                    {{3600, 0, 0}, {3600, 60, 0}, {3600, 60, 1}}};

struct Taken {
  const char* name;
  const char* instead;
};
constexpr Taken taken[] = {{"nodes", "use --nodes N"},
                           {"ntasks", "use --nodes N and --tasks_per_node N"},
                           {"ntasks-per-node", "use --tasks_per_node N"},
                           {"cpus-per-task", "use --cpus N"},
                           {"gpus-per-node", "use --gpus N"},
                           {"time", "use --time D-HH:MM:SS"},
                           {"mem", "use --mem SIZE"},
                           {"partition", "use --partition NAME"},
                           {"account", "use --account NAME"},
                           {"qos", "use --qos NAME"},
                           {"job-name", "use --job_name NAME"},
                           {"array", "use --grid.OPTION A,B and --max_parallel N"},
                           {"test-only", "use --dry_run"},
                           {"wrap", "the script is made of the words of the run"},
                           {"parsable", "host submit says it itself"},
                           {"chdir", "the job begins in its own folder, and the run where you are now"},
                           {"wait", "host submit does not wait"},
                           {"help", "see man sbatch"},
                           {"usage", "see man sbatch"},
                           {"version", "see sbatch --version"}};

std::string number(int64_t n) { return std::to_string(n); }

// Returns the time of the signal before the limit; it is less for short limits. The run itself stops a tenth of its
// time, or a minute, before the limit.
std::string signal_before(const std::string& time) {
  const int64_t limit = time.empty() ? 0 : *time_limit_seconds(time);
  return "USR1@" + number(limit == 0 ? 120 : std::clamp<int64_t>(limit / 10, 1, 120));
}

std::string array_of(const SubmitArguments& arguments, size_t runs) {
  const std::string parallel = arguments.max_parallel > 0 ? "%" + number(arguments.max_parallel) : "";
  return "0-" + std::to_string(runs - 1) + parallel;
}

SbatchOptions usual_options(const SubmitArguments& arguments, const JobShape& job) {
  SbatchOptions out = {{"job-name", arguments.job_name.empty() ? job.name : arguments.job_name},
                       {"nodes", number(job.layout.nodes)},
                       {"ntasks-per-node", number(job.layout.tasks_per_node)}};
  const auto add = [&out](const char* name, const std::string& value) {
    if (!value.empty() && value != "0") out.emplace_back(name, value);
  };
  add("cpus-per-task", number(arguments.cpus));
  add("gpus-per-node", number(arguments.gpus));
  add("mem", arguments.mem);
  add("time", arguments.time);
  add("partition", arguments.partition);
  add("account", arguments.account);
  add("qos", arguments.qos);
  if (!arguments.grid.empty()) out.emplace_back("array", array_of(arguments, job.runs));
  out.emplace_back("output", arguments.grid.empty() ? "slurm-%j.out" : "slurm-%A_%a.out");
  out.emplace_back("open-mode", "append");  // keeps the output from before a requeue
  out.emplace_back(job.goes_on ? "requeue" : "no-requeue", "");
  if (job.goes_on) out.emplace_back("signal", signal_before(arguments.time));
  return out;
}

bool excludes(const std::string& a, const std::string& b) { return a == b || a == "no-" + b || b == "no-" + a; }

}  // namespace

std::optional<int64_t> time_limit_seconds(const std::string& text) {
  const size_t dash = text.find('-');
  const bool has_days = dash != std::string::npos;
  const auto days = numbers(has_days ? text.substr(0, dash) : "0");
  const auto rest = numbers(has_days ? text.substr(dash + 1) : text);
  if (!days || days->size() != 1 || !rest) return std::nullopt;
  int64_t seconds = days->front() * 86400;
  for (size_t i = 0; i < rest->size(); ++i) seconds += (*rest)[i] * units[has_days][rest->size() - 1][i];
  return seconds > 0 ? std::optional<int64_t>(seconds) : std::nullopt;
}

std::pair<std::string, std::string> read_sbatch_option(const std::string& text) {
  const size_t equals = text.find('=');
  std::string name = text.substr(std::min(text.size(), text.find_first_not_of('-')));
  name = name.substr(0, name.find('='));
  std::replace(name.begin(), name.end(), '_', '-');
  const std::string refused = "--sbatch " + text + ": ";
  if (name.size() < 2 || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != std::string::npos)
    throw Error(ErrorCode::option_value_invalid,
                refused + "name an option of sbatch by its long name: --sbatch KEY=VALUE");
  for (const Taken& other : taken)
    if (name == other.name) throw Error(ErrorCode::option_value_invalid, refused + other.instead);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (equals != std::string::npos && value.empty())
    throw Error(ErrorCode::option_value_invalid, refused + "its value is empty");
  return {name, value};
}

SbatchOptions sbatch_options(const SubmitArguments& arguments, const JobShape& job) {
  SbatchOptions out = usual_options(arguments, job);
  for (const auto& own : arguments.sbatch) {
    const auto same = [&own](const auto& other) { return excludes(own.first, other.first); };
    out.erase(std::remove_if(out.begin(), out.end(), same), out.end());
    out.push_back(own);
  }
  return out;
}

}  // namespace levin::core
