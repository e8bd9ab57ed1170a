#include "tasks/service/service_jobs.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <thread>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "launch/ranks/spawn.hpp"
#include "tasks/common/random_hex.hpp"
#include "tasks/driver/driver.hpp"
#include "tasks/nats/libraries.hpp"
#include "tasks/nats/worker.hpp"
#include "tasks/signing/signature.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;

constexpr size_t most_drivers = 32;  // at the same time; further jobs wait
constexpr off_t log_room = 16384;    // bytes

// Of what it computes; its limits may differ.
std::string id_of(const JobSettings& settings, const std::string& file) {
  nlohmann::json what{settings.sha256, file, settings.component, settings.options};
  if (!settings.signature.empty()) what.push_back(settings.signature);  // else workers may refuse the job there is
  const std::string text = what.dump(-1, ' ', true);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  if (EVP_Digest(text.data(), text.size(), digest, &length, EVP_sha256(), nullptr) != 1)
    throw Error(ErrorCode::system_call_failed, "the cryptography library cannot compute SHA-256");
  return hex_digits({reinterpret_cast<const char*>(digest), length}).substr(0, 12);
}

}  // namespace

ServiceJobs::ServiceJobs(fs::path folder, BusAddress address, std::vector<std::string> allowed, std::string ledger)
    : folder_(std::move(folder)),
      address_(std::move(address)),
      allowed_(std::move(allowed)),
      ledger_(std::move(ledger)) {
  for (const char* part : {"files", "uploads", "jobs"}) fs::create_directories(folder_ / part);
  for (const auto& entry : fs::directory_iterator(folder_ / "uploads")) fs::remove(entry.path());
  for (const auto& entry : fs::directory_iterator(folder_ / "jobs"))
    if (is_file(entry.path() / "request.json")) jobs_[entry.path().filename().string()];
  start_waiting();
}

ServiceJobs::~ServiceJobs() { stop(); }

// Files
// -----------------------------------------------------------------------------------------------------------------

fs::path ServiceJobs::file_of(const std::string& sha256) const {
  if (!is_hex(sha256, 64)) throw Error(ErrorCode::call_invalid, "'" + sha256 + "' is no SHA-256 sum");
  return folder_ / "files" / sha256;
}

bool ServiceJobs::has_file(const std::string& sha256) const { return is_file(file_of(sha256)); }

void ServiceJobs::put(const std::string& sha256, const std::string& upload, uint64_t offset, bool last,
                      std::string_view bytes) {
  if (!is_hex(upload, 16)) throw Error(ErrorCode::call_invalid, "'" + upload + "' is no upload");
  const fs::path file = file_of(sha256), part = folder_ / "uploads" / (sha256 + "." + upload);
  const Descriptor fd(::open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  const auto written = fd.open() ? ::pwrite(fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)) : -1;
  if (written != static_cast<ssize_t>(bytes.size())) {
    const int error = written < 0 ? errno : ENOSPC;  // a part was written
    std::error_code ignored;
    fs::remove(part, ignored);
    throw Error(code_of_write(error),
                std::string("the service cannot store the file: ") + std::strerror(error) + advice_on_write(error));
  }
  if (!last) return;
  if (sha256_file(part.string()) != sha256) {
    fs::remove(part);
    throw Error(ErrorCode::server_refused, "the file that has arrived has not the SHA-256 sum " + sha256);
  }
  sync_file(part);
  fs::rename(part, file);
  sync_file(file);
}

// Jobs
// ------------------------------------------------------------------------------------------------------------------

nlohmann::json ServiceJobs::submit(const nlohmann::json& request) {
  JobSettings settings = request.at("settings").get<JobSettings>();
  const std::string file = request.at("file").get<std::string>();
  const std::string id = id_of(settings, file);
  if (jobs_.count(id)) return {{"id", id}, {"new", false}, {"state", state(id)}};
  if (!has_file(settings.sha256) || !has_file(file))
    throw Error(ErrorCode::call_invalid, "its files were not uploaded");
  const fs::path folder = folder_ / "jobs" / id, inputs = folder / "inputs";
  const fs::path library = inputs / plain_file_name(settings.library, "library.so");
  fs::path tasks = inputs / plain_file_name(settings.file, "tasks");
  if (tasks == library) tasks += ".tasks";
  if (!settings.signature.empty()) read_signature(settings.signature);
  // It must be allowed here, because read and sum run here.
  Libraries(allowed_, folder_).require_allowed({settings.sha256, settings.library, settings.signature});
  fs::create_directories(inputs);
  for (const auto& [from, to] : {std::pair(file_of(settings.sha256), library), std::pair(file_of(file), tasks)})
    if (!is_file(to)) fs::create_hard_link(from, to);
  settings.library = library.string();
  settings.file = tasks.string();
  settings.trust = false;
  settings.engine = "nats";
  static_cast<ServerOptions&>(settings) = address_;
  settings.own_server = true;
  if (const JobFiles job{folder}; !ledger_.empty() && !is_file(job.ledger_url()))
    write_ledger_place(job.ledger_url(), ledger_);
  write_file_durable(folder / "request.json", nlohmann::json(settings).dump(2) + "\n");
  jobs_[id];
  start_waiting();
  return {{"id", id}, {"new", true}, {"state", state(id)}};
}

JobFiles ServiceJobs::files(const std::string& id) const {
  if (!jobs_.count(id)) throw Error(ErrorCode::job_state_wrong, "the service has no job '" + id + "'");
  return {folder_ / "jobs" / id};
}

std::string ServiceJobs::state(const std::string& id) const {
  const JobFiles job = files(id);
  if (!jobs_.at(id).end.empty()) return jobs_.at(id).end;
  if (is_file(job.folder / "ended")) return trim(read_file(job.folder / "ended", ErrorCode::operation_failed));
  if (jobs_.at(id).driver < 0) return "waiting";
  try {
    const std::string known = Ledger(job.ledger(), true).get("state");
    return known.empty() ? job_reading : known;
  } catch (const Error&) {
    return job_reading;  // there is no ledger yet
  }
}

nlohmann::json ServiceJobs::row(const std::string& id) const {
  nlohmann::json out = {{"id", id}, {"state", state(id)}, {"all", 0}, {"done", 0}, {"failed", 0}};
  try {
    const JobSettings settings = nlohmann::json::parse(read_file(files(id).folder / "request.json")).get<JobSettings>();
    out["component"] = settings.component;
    out["file"] = fs::path(settings.file).filename().string();
    const TaskCounts counts = Ledger(files(id).ledger(), true).counts();
    out["all"] = counts.all;
    out["done"] = counts.done;
    out["failed"] = counts.failed;
  } catch (const std::exception&) {  // there is no ledger yet
  }
  return out;
}

nlohmann::json ServiceJobs::list() const {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& [id, job] : jobs_) out.push_back(row(id));
  return out;
}

void ServiceJobs::cancel(const std::string& id) {
  files(id);
  if (has_ended(id)) throw Error(ErrorCode::job_state_wrong, "job " + id + " has ended already: " + state(id));
  Job& job = jobs_[id];
  job.cancelled = true;
  if (job.driver > 0) {
    ::kill(job.driver, SIGTERM);
    return;
  }
  job.end = "cancelled";
  keep_end(id, job);
}

void ServiceJobs::retry(const std::string& id) {
  const JobFiles job = files(id);
  const std::string now = state(id);
  if (now != "failed" && now != "cancelled")
    throw Error(ErrorCode::job_state_wrong,
                "job " + id + " is " + now + ": only a job that failed or was cancelled can be retried");
  fs::remove(job.folder / "ended");
  jobs_[id] = Job{};
  start_waiting();
}

// Drivers
// ---------------------------------------------------------------------------------------------------------------

void ServiceJobs::start_waiting() {
  size_t running = 0;
  for (const auto& [id, job] : jobs_) running += job.driver > 0;
  for (auto& [id, job] : jobs_)
    if (job.driver < 0 && running < most_drivers && !has_ended(id)) {
      start(id, job);
      ++running;
    }
}

void ServiceJobs::start(const std::string& id, Job& job) {
  const fs::path folder = folder_ / "jobs" / id;
  const Descriptor output(::open((folder / "log.txt").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!output.open())
    throw Error(code_of_write(errno),
                folder.string() + " cannot be written: " + std::strerror(errno) + advice_on_write(errno));
  // Room for its last words on a full disk; where that is not possible, it has none.
  const off_t size = ::lseek(output.get(), 0, SEEK_END);
  static_cast<void>(::fallocate(output.get(), FALLOC_FL_KEEP_SIZE, size, log_room));
  Spawn what;
  what.command = {exe_path().string(), "drive", folder.string()};
  what.environment = environment_variables();
  what.environment[token_variable] = address_.token;
  what.out = what.err = output.get();
  sigemptyset(&what.blocked);
  job.driver = spawn(what);
}

void ServiceJobs::ended(const std::string& id, Job& job, int status) {
  job.driver = -1;
  const bool crashed = WIFSIGNALED(status);
  if (crashed && !job.cancelled && ++job.crashes < 3) return;  // it is started again
  job.end = job.cancelled ? "cancelled" : !crashed && WEXITSTATUS(status) == 0 ? "done" : "failed";
  keep_end(id, job);
}

void ServiceJobs::keep_end(const std::string& id, Job& job) {
  try {
    write_file_durable(folder_ / "jobs" / id / "ended", job.end + "\n");
    job.end.clear();
  } catch (const Error&) {  // the disk is full: later
  }
}

bool ServiceJobs::has_ended(const std::string& id) const {
  return !jobs_.at(id).end.empty() || is_file(folder_ / "jobs" / id / "ended");
}

void ServiceJobs::look() {
  for (auto& [id, job] : jobs_) {
    int status = 0;
    if (job.driver > 0 && ::waitpid(job.driver, &status, WNOHANG) == job.driver) ended(id, job, status);
    if (!job.end.empty()) keep_end(id, job);
  }
  start_waiting();
}

void ServiceJobs::stop() {
  for (auto& [id, job] : jobs_)
    if (job.driver > 0) ::kill(job.driver, SIGTERM);
  for (int tries = 0; tries < 500; ++tries) {
    size_t left = 0;
    for (auto& [id, job] : jobs_) {
      if (job.driver > 0 && ::waitpid(job.driver, nullptr, WNOHANG) == job.driver) job.driver = -1;
      left += job.driver > 0;
    }
    if (left == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace levin::core::tasks
