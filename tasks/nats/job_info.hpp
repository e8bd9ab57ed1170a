// What workers have to know of a job: its driver says it every second.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace levin::core::tasks {

struct JobInfo {
  std::string id;
  std::string session;  // of the driver: another one when the job goes on
  std::string stream;   // another one when the driver has replaced it
  std::string sha256, file_name, component;
  std::string signature;        // of the library: its text, or ""
  uint32_t library_chunks = 0;  // of the blob "library"; 0 = it is not in the stream
  uint64_t library_size = 0;
  nlohmann::json options = nlohmann::json::object();
  uint32_t attempts = 1;
  double time_limit = 0;
  uint64_t max_size = 0, memory = 0;  // bytes
  int64_t priority = 0;
  std::vector<std::string> needs;  // of tasks that need more than a CPU, by the number of their queue, from 1
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(JobInfo, id, session, stream, sha256, file_name, component, signature,
                                                library_chunks, library_size, options, attempts, time_limit, max_size,
                                                memory, priority, needs)

struct WorkerInfo {
  std::string name;
  uint64_t slots = 0;                       // 0 = it leaves
  uint64_t running = 0;                     // tasks, and slots that fetch a library
  uint64_t cpus = 0, gpus = 0, memory = 0;  // memory: MiB
  std::vector<std::string> labels;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(WorkerInfo, name, slots, running, cpus, gpus, memory, labels)

// A worker's message to the driver of a job whose results the server does not store.
struct StoreRefusal {
  std::string session;  // of the driver
  std::string reason;   // the server's
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(StoreRefusal, session, reason)

// Which driver of a job should be heard.
struct JobSession {
  std::string id, session;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(JobSession, id, session)

// Returns true if the names may be parts of subjects, and the numbers are possible.
bool is_sound(const JobInfo& job);
bool is_sound(const WorkerInfo& worker);
inline bool is_sound(const StoreRefusal& refusal) { return !refusal.session.empty() && !refusal.reason.empty(); }
inline bool is_sound(const JobSession&) { return true; }

// Returns nullopt if the text is no sound T.
template <class T>
std::optional<T> parsed(const std::string& text) {
  try {
    T out = nlohmann::json::parse(text).get<T>();
    return is_sound(out) ? std::optional(std::move(out)) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace levin::core::tasks
