#include "tasks/driver/driver.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "core/base/readable_folder.hpp"
#include "core/base/stop_signals.hpp"
#include "core/base/text.hpp"
#include "launch/common/owner_lock.hpp"
#include "launch/common/shell_quote.hpp"
#include "tasks/common/random_hex.hpp"
#include "tasks/driver/scheduler.hpp"
#include "tasks/nats/cluster.hpp"
#include "tasks/slurm/files_engine.hpp"
#include "tasks/slurm/slurm_workers.hpp"

namespace levin::core::tasks {
namespace {

constexpr size_t most_groups = 64;  // of tasks with the same needs

Descriptor locked(const JobFiles& files) {
  std::filesystem::create_directories(files.folder);
  if (auto lock = take_owner_lock(files.lock())) return std::move(*lock);
  throw Error(ErrorCode::job_in_use, "another host tasks is running the job in " + files.folder.string());
}

}  // namespace

Driver::Driver(JobFiles files, bool terminal)
    : files_(std::move(files)),
      lock_(locked(files_)),
      ledger_(std::make_unique<Ledger>(files_.ledger())),
      terminal_(terminal) {}

bool Driver::runs(const JobFiles& files) { return holds_owner_lock(files.lock()); }

JobSettings Driver::settings_of(const JobFiles& files) {
  if (!is_file(files.ledger())) {
    require_readable_folder(files.folder);
    throw Error(ErrorCode::not_a_run_folder,
                files.folder.string() + " is no run of host tasks: it has no ledger.db or ledger.url");
  }
  const std::string text = Ledger(files.ledger(), true).get("settings");
  if (text.empty())
    throw Error(ErrorCode::job_state_wrong,
                "the job in " + files.folder.string() + " ended before it began; start a new one");
  return parse_json(text, files.ledger().string(), ErrorCode::record_damaged).get<JobSettings>();
}

WorkerPlan Driver::plan() const {
  WorkerPlan out;
  out.program = (exe_path().parent_path() / "host-tasks-worker").string();
  out.folder = files_.workers();
  const auto cpus = static_cast<int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  out.workers = static_cast<size_t>(settings_.workers > 0 ? settings_.workers : cpus);
  const auto given = [](int64_t number) {
    return number < 0 ? std::nullopt : std::optional<uint64_t>(static_cast<uint64_t>(number));
  };
  if (is_slurm(settings_.engine))
    out.machine.capacity = slurm_capacity(settings_);
  else
    out.machine = read_machine(
        {out.workers, given(settings_.cpus), given(settings_.gpus), given(settings_.memory_total), settings_.labels});
  out.time_limit = settings_.time_limit;
  out.max_size = static_cast<uint64_t>(settings_.max_size) << 20;
  out.setup = nlohmann::json{{"file", settings_.library},
                             {"component", settings_.component},
                             {"options", settings_.options},
                             {"trust", settings_.trust},
                             {"folder", files_.folder.string()},
                             {"max_size", out.max_size},
                             {"memory", static_cast<uint64_t>(settings_.memory) << 20}}
                  .dump();
  return out;
}

int Driver::run(const JobSettings& settings) {
  settings_ = settings;
  ledger_->set("settings", nlohmann::json(settings).dump());
  if (ledger_->get("state").empty()) ledger_->set("state", job_reading);
  if (ledger_->get("state") == job_reading && !read()) return give_up_or_stop("reading its tasks");
  if (ledger_->get("state") == job_running && !handle()) return give_up_or_stop("its tasks");
  if (ledger_->get("state") == job_summing && !sum()) return give_up_or_stop("its sum");
  std::printf("%s\n", files_.output().c_str());
  return 0;
}

std::optional<CallEnd> Driver::call_alone(Frame call) {
  return tasks::call_alone(plan(), std::move(call), stop_.fd(), [this] { return stop_.asked(); });
}

// Reads ---------------------------------------------------------------------------------------------------------------

bool Driver::read() {
  const std::optional<CallEnd> end = call_alone({Message::read, 0, 0, settings_.file});
  if (!end) return false;
  if (end->how != CallEnd::How::result) throw Error(ErrorCode::task_failed, "read: " + end->reason);
  import();
  return true;
}

void Driver::import() {
  const RecordFile tasks(files_.tasks()), places(files_.places());
  ledger_->begin();
  ledger_->remove_tasks();
  const uint64_t count = places.size() / sizeof(Place);
  for (uint64_t i = 0; i < count; ++i) {
    Place place;
    const std::string bytes = places.read({i * sizeof place, sizeof place});
    std::memcpy(&place, bytes.data(), sizeof place);
    const std::string head = tasks.read({place.offset, std::min<uint64_t>(place.size, 4096)});
    ledger_->add(i, unpacked_task(head), place);
  }
  if (count == 0) throw Error(ErrorCode::data_empty, settings_.file + " has no tasks: read added none");
  if (const size_t groups = ledger_->needs().size(); groups > most_groups)
    throw Error(ErrorCode::data_empty, "the tasks have " + std::to_string(groups) + " different needs, and at most " +
                                           std::to_string(most_groups) + " are possible: round the numbers up");
  ledger_->set("state", job_running);
  ledger_->commit();
}

// Handles -------------------------------------------------------------------------------------------------------------

std::unique_ptr<Engine> Driver::make_engine() {
  if (settings_.engine == "local") return std::make_unique<LocalEngine>(plan());
  if (ledger_->get("id").empty()) ledger_->set("id", random_hex(8));
  if (settings_.engine == "slurm_files") return make_files_engine(settings_, files_, plan(), ledger_->get("id"));
  return make_nats_engine(settings_, files_, plan(), ledger_->get("id"), ledger_->needs());
}

bool Driver::handle() {
  const std::unique_ptr<Engine> engine = make_engine();
  try {
    Scheduler scheduler(settings_, files_, *ledger_, *engine, stop_, terminal_);
    const bool done = scheduler.run();
    counts_ = scheduler.counts();
    if (done) ledger_->set("state", job_summing);
    return done;
  } catch (const Error&) {  // a job that fails leaves nothing in the store of a server that has other jobs
    if (!settings_.server.empty()) engine->stop();
    throw;
  }
}

// Sums ----------------------------------------------------------------------------------------------------------------

bool Driver::sum() {
  if (!is_file(files_.output())) {  // else a driver was killed after it
    RecordFile order(files_.order(), 0);
    std::string places;
    ledger_->each_result([&](uint64_t, Place task, Place result) {
      for (const Place& place : {task, result}) places.append(reinterpret_cast<const char*>(&place), sizeof place);
      if (places.size() < 65536) return;
      order.append(places);
      places.clear();
    });
    order.append(places);
    const std::optional<CallEnd> end = call_alone({Message::sum, 0, 0, {}});
    if (!end) return false;
    if (end->how != CallEnd::How::result) throw Error(ErrorCode::task_failed, "sum: " + end->reason);
  }
  ledger_->set("state", job_done);
  return true;
}

int Driver::give_up_or_stop(const std::string& what) {
  const std::string job = settings_.own_server ? files_.folder.filename().string() : shell_word(files_.folder.string());
  const std::string go_on = (settings_.own_server ? "host tasks retry " : "host tasks --resume ") + job;
  if (stop_.signal) {
    std::printf("stopped by %s during %s; go on with: %s\n", name_of_signal(stop_.signal), what.c_str(), go_on.c_str());
    return code_of_stop(stop_.signal);
  }
  throw Error(ErrorCode::tasks_failed, std::to_string(counts_.failed) + " of " + std::to_string(counts_.all) +
                                           " tasks failed, so there is no output: see host tasks " +
                                           (settings_.own_server ? "status " : "report ") + job +
                                           "; try them again with: " + go_on);
}

}  // namespace levin::core::tasks
