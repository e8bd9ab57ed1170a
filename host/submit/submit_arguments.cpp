#include "host/submit/submit_arguments.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "host/cli/arguments.hpp"
#include "host/cli/commands.hpp"
#include "host/submit/sbatch_options.hpp"

namespace levin::core {
namespace {

struct JobOption {
  const char* name;
  int64_t SubmitArguments::*count;
  std::string SubmitArguments::*text;
};
constexpr JobOption job_options[] = {{"nodes", &SubmitArguments::nodes, nullptr},
                                     {"gpus", &SubmitArguments::gpus, nullptr},
                                     {"tasks_per_node", &SubmitArguments::tasks_per_node, nullptr},
                                     {"cpus", &SubmitArguments::cpus, nullptr},
                                     {"max_parallel", &SubmitArguments::max_parallel, nullptr},
                                     {"time", nullptr, &SubmitArguments::time},
                                     {"mem", nullptr, &SubmitArguments::mem},
                                     {"partition", nullptr, &SubmitArguments::partition},
                                     {"account", nullptr, &SubmitArguments::account},
                                     {"qos", nullptr, &SubmitArguments::qos},
                                     {"job_name", nullptr, &SubmitArguments::job_name}};
constexpr const char* grid_prefix = "grid.";

std::string underscores(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  SubmitArguments read() {
    while (at_ < arguments_.size() && option()) continue;
    if (!command_said_) out_.command = Command::run;
    out_.run.assign(arguments_.begin() + static_cast<std::ptrdiff_t>(at_), arguments_.end());
    return std::move(out_);
  }

 private:
  // Reads one option of the job. Returns false where the arguments of the run begin.
  bool option() {
    const std::string& word = arguments_[at_];
    if (!starts_with(word, "--")) return command(word), false;
    const std::string written = bare_name(word), name = underscores(written);
    for (const JobOption& option : job_options)
      if (name == option.name) return set(option), true;
    if (name == "dry_run") return flag(), true;
    if (name == "sbatch") return out_.sbatch.push_back(read_sbatch_option(value())), true;
    if (starts_with(written, grid_prefix)) return axis(written.substr(std::string(grid_prefix).size())), true;
    if (is_fixed(written) || written.find('.') != std::string::npos) return false;
    refuse_submit(ErrorCode::option_unknown,
                  "there is no option --" + written + " before the command of the run" +
                      did_you_mean(name, submit_option_names(), 0) +
                      "; a run's own options come after its command: host submit --time 1:00:00 fit --model X ...");
  }

  void command(const std::string& word) {
    const HostCommand* found = find_command(word);
    if (found == nullptr || (!found->runs && word != "resume"))
      refuse_submit(
          ErrorCode::argument_unexpected,
          "'" + word + "' cannot be submitted; commands: run, fit, validate, test, tune, " + "predict, resume");
    out_.command = found->runs;
    command_said_ = true;
    ++at_;
  }

  std::string value() {
    const std::string& word = arguments_[at_++];
    const size_t equals = word.find('=');
    const bool missing =
        equals == std::string::npos && (at_ == arguments_.size() || starts_with(arguments_[at_], "--"));
    if (missing) refuse_submit(ErrorCode::argument_missing, word + ": a value is missing");
    const std::string text = equals == std::string::npos ? arguments_[at_++] : word.substr(equals + 1);
    const auto controls = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; };
    if (text.empty() || std::any_of(text.begin(), text.end(), controls))
      refuse_submit(ErrorCode::option_value_invalid,
                    "--" + bare_name(word) + ": its value is empty, or has control characters");
    return text;
  }

  void flag() {
    const std::string& word = arguments_[at_++];
    if (word.find('=') != std::string::npos)
      refuse_submit(ErrorCode::argument_unexpected, word + ": --dry_run takes no value");
    out_.dry_run = true;
  }

  void set(const JobOption& option) {
    const std::string text = value(), name = std::string("--") + option.name;
    if (option.text != nullptr) {
      if (!(out_.*option.text).empty()) refuse_submit(ErrorCode::options_conflict, name + " is given twice");
      out_.*option.text = text;
      return;
    }
    if (out_.*option.count != 0) refuse_submit(ErrorCode::options_conflict, name + " is given twice");
    const bool count = text.size() < 7 && text.find_first_not_of("0123456789") == std::string::npos && text != "0";
    if (!count || std::stoll(text) == 0)
      refuse_submit(ErrorCode::option_value_invalid, name + " takes a count from 1, not '" + text + "'");
    out_.*option.count = std::stoll(text);
  }

  void axis(const std::string& option) {
    if (option.empty())
      refuse_submit(ErrorCode::option_unknown, "--grid. names no option; use --grid.model.lr 0.1,0.01");
    for (const GridAxis& other : out_.grid)
      if (other.option == option)
        refuse_submit(ErrorCode::options_conflict, "--grid." + option + " is given twice; list all values in one");
    out_.grid.push_back(read_grid_axis(option, value()));
  }

  const std::vector<std::string>& arguments_;
  size_t at_ = 0;
  bool command_said_ = false;
  SubmitArguments out_;
};

void check_values(const SubmitArguments& arguments) {
  if (!arguments.time.empty() && !time_limit_seconds(arguments.time))
    refuse_submit(ErrorCode::option_value_invalid,
                  "--time '" + arguments.time + "' is not a time; forms: " + time_limit_forms);
  if (arguments.max_parallel > 0 && arguments.grid.empty())
    refuse_submit(ErrorCode::option_missing, "--max_parallel needs --grid.OPTION");
  for (const char* name : {"bash", "interactive"})  // Lightning and Levin take these names for interactive shells
    if (arguments.job_name == name)
      refuse_submit(ErrorCode::option_value_invalid,
                    "--job_name " + arguments.job_name + " would make the job look like a shell; take another name");
  if (arguments.gpus > 0 && arguments.tasks_per_node > arguments.gpus)
    refuse_submit(ErrorCode::options_conflict, "--tasks_per_node " + std::to_string(arguments.tasks_per_node) +
                                                   " is more than --gpus " + std::to_string(arguments.gpus) +
                                                   ", which counts those of each node: a process has a GPU of its own");
  if (!arguments.command && !arguments.grid.empty())
    refuse_submit(ErrorCode::options_conflict,
                  "resume continues one run, but a grid starts new ones; leave out --grid, or use fit");
}

}  // namespace

void refuse_submit(ErrorCode code, const std::string& what) { throw Error(code, "host submit: " + what); }

std::vector<std::string> SubmitArguments::command_arguments() const {
  if (!command) return {"resume"};
  return command == Command::run ? std::vector<std::string>{} : std::vector<std::string>{name_of(*command)};
}

std::vector<std::string> submit_option_names() {
  std::vector<std::string> out = {"sbatch", "grid", "dry_run"};
  for (const JobOption& option : job_options) out.emplace_back(option.name);
  return out;
}

SubmitArguments read_submit_arguments(const std::vector<std::string>& arguments) {
  SubmitArguments out = Reader(arguments).read();
  check_values(out);
  return out;
}

}  // namespace levin::core
