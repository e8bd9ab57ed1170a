#include "sweep/study/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "launch/common/descriptor.hpp"
#include "sweep/study/journal_lock.hpp"

namespace levin::core::sweep {
namespace {

using nlohmann::json;

// Local time, as Optuna writes it.
std::string now() {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  const auto micro = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  const auto seconds = static_cast<std::time_t>(micro / 1000000);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[64], out[80];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(out, sizeof out, "%s.%06lld", text, static_cast<long long>(micro % 1000000));
  return out;
}

json distribution_of(const Parameter& parameter) {
  if (parameter.kind == ParameterKind::choice) {
    json choices = json::array();
    for (size_t i = 0; i < parameter.choices.size(); ++i) choices.push_back(parameter.json(static_cast<double>(i)));
    return {{"name", "CategoricalDistribution"}, {"attributes", {{"choices", choices}}}};
  }
  const bool integer = parameter.kind == ParameterKind::integer;
  const json low = parameter.json(parameter.low), high = parameter.json(parameter.nearest_value(parameter.high));
  json step = nullptr;
  if (integer) step = parameter.step > 0 ? static_cast<int64_t>(parameter.step) : 1;
  if (!integer && parameter.step > 0) step = parameter.step;
  return {{"name", integer ? "IntDistribution" : "FloatDistribution"},
          {"attributes", {{"low", low}, {"high", high}, {"log", parameter.log}, {"step", step}}}};
}

// Applies the whole lines from `from` on. Returns where the first line that is not whole begins.
uint64_t replay_lines(const std::string& text, const std::filesystem::path& file, Replay& replay) {
  size_t at = 0;
  for (size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) try {
      if (end > at)
        replay.apply(json::parse(text.begin() + static_cast<std::ptrdiff_t>(at),
                                 text.begin() + static_cast<std::ptrdiff_t>(end)));
    } catch (const std::exception&) {
      throw Error(ErrorCode::record_damaged, file.string() + ": byte " + std::to_string(at) +
                                                 " begins a line that is no operation of a study; " +
                                                 "move the damaged lines out of the file");
    }
  return at;
}

}  // namespace

Study read_study(const std::filesystem::path& file) {
  Replay replay;
  replay_lines(read_file(file), file, replay);
  return replay.study();
}

Journal::Journal(std::filesystem::path file, const std::string& name, bool maximizes)
    : file_(std::move(file)), worker_("levin-" + std::to_string(::getpid())) {
  if (is_present(file_)) load();
  if (replay_.begun()) return;
  json begin = operation(0);
  begin["study_name"] = name;
  begin["directions"] = {maximizes ? 2 : 1};
  append({begin});
}

void Journal::load() {
  const JournalLock lock(file_);
  const std::string text = read_file(file_, ErrorCode::record_damaged);
  read_ = replay_lines(text, file_, replay_);
  if (read_ < text.size()) std::filesystem::resize_file(file_, read_);
}

json Journal::operation(int code) const { return {{"op_code", code}, {"worker_id", worker_}}; }

json Journal::of_trial(int code, int64_t trial) const {
  json out = operation(code);
  out["trial_id"] = study().trials.at(static_cast<size_t>(trial)).id;
  return out;
}

// Other programs may have appended operations, such as notes; they are read first, so that the numbers of trials agree.
void Journal::append(const std::vector<json>& operations) {
  std::string lines;
  for (const json& one : operations) lines += one.dump() + "\n";
  const JournalLock lock(file_);
  const Descriptor fd(::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  const off_t before = ::lseek(fd.get(), 0, SEEK_END);
  size_t done = 0;
  while (fd.open() && done < lines.size()) {
    const ssize_t written = ::write(fd.get(), lines.data() + done, lines.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<size_t>(written);
  }
  if (done < lines.size() || ::fsync(fd.get()) != 0) {
    const int error = errno;
    if (before >= 0 && ::ftruncate(fd.get(), before) != 0) ::lseek(fd.get(), before, SEEK_SET);
    throw Error(code_of_write(error),
                file_.string() + " cannot be written: " + std::strerror(error) + advice_on_write(error));
  }
  const std::string text = read_file(file_, ErrorCode::record_damaged);
  read_ += replay_lines(text.substr(read_), file_, replay_);
}

int64_t Journal::start(const std::vector<Parameter>& parameters, const Assignment& values, const json& attributes) {
  json begin = operation(4);
  begin["study_id"] = 0;
  begin["datetime_start"] = now();
  begin["state"] = static_cast<int>(TrialState::running);
  begin["user_attrs"] = attributes;
  begin["params"] = json::object();
  begin["distributions"] = json::object();
  for (size_t i = 0; i < parameters.size(); ++i) {
    begin["params"][parameters[i].option] = values.at(i);
    begin["distributions"][parameters[i].option] = distribution_of(parameters[i]).dump();
  }
  append({begin});
  return study().trials.back().number;
}

void Journal::set(int64_t trial, const std::string& attribute, const json& value) {
  json op = of_trial(8, trial);
  op["user_attr"] = {{attribute, value}};
  append({op});
}

void Journal::reach(int64_t trial, int64_t epochs, double value) {
  json op = of_trial(7, trial);
  op["step"] = epochs;
  op["intermediate_value"] = value;
  append({op});
}

void Journal::end(int64_t trial, TrialState state, std::optional<double> value,
                  const std::map<int64_t, double>& at_epoch, const std::string& error) {
  std::vector<json> operations;
  for (const auto& [epoch, metric] : at_epoch) {
    json op = of_trial(7, trial);
    op["step"] = epoch;
    op["intermediate_value"] = metric;
    operations.push_back(op);
  }
  if (!error.empty()) {
    json op = of_trial(8, trial);
    op["user_attr"] = {{"error", error}};
    operations.push_back(op);
  }
  json op = of_trial(6, trial);
  op["state"] = static_cast<int>(state);
  op["values"] = nullptr;
  if (value) op["values"] = {*value};
  op["datetime_complete"] = now();
  operations.push_back(op);
  append(operations);
}

}  // namespace levin::core::sweep
