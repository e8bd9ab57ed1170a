// host-tasks-worker: the process that runs a component's read, handle and sum. Its only argument is the socket on which
// `host tasks` hands it work.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "tasks/common/drop_privileges.hpp"
#include "tasks/common/frame.hpp"
#include "tasks/common/job_files.hpp"
#include "tasks/worker/component.hpp"

namespace levin::core::tasks {
namespace {

// What the setup message says.
struct Setup {
  std::string file, component;
  nlohmann::json options;
  bool trust = false;
  JobFiles files;
  uint64_t max_size = 0, memory = 0;  // bytes; memory 0 = no limit
  nlohmann::json user;                // see drop_privileges
};

Setup read_setup(const std::string& text) {
  const nlohmann::json j = parse_json(text, "the setup of a worker", ErrorCode::internal_error);
  return {j.at("file"),
          j.at("component"),
          j.at("options"),
          j.at("trust"),
          {std::filesystem::path(j.at("folder").get<std::string>())},
          j.at("max_size"),
          j.at("memory"),
          j.value("user", nlohmann::json())};
}

void limit_memory(uint64_t bytes) {
  if (bytes == 0) return;
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_DATA, &limit);
}

void run_read(TasksComponent& tasks, const Setup& setup, const std::string& path) {
  RecordFile all(setup.files.tasks(), 0), places(setup.files.places(), 0);
  std::string waiting;
  tasks.read(path, setup.max_size, [&](const TaskData& task) {
    const Place place = all.append(packed_task(task));
    waiting.append(reinterpret_cast<const char*>(&place), sizeof place);
    if (waiting.size() < 65536) return;
    places.append(waiting);
    waiting.clear();
  });
  places.append(waiting);
  all.sync();
  places.sync();
}

// The results of a job, one after the other.
class ResultReader {
 public:
  explicit ResultReader(const JobFiles& files)
      : order_(files.order(), std::ios::binary), tasks_(files.tasks()), results_(files.results()) {
    order_.exceptions(std::ios::badbit);
  }
  bool next(levin_result& out) {
    Place places[2];  // of the task and of its result
    if (!order_.read(reinterpret_cast<char*>(places), sizeof places)) return false;
    const TaskData task = unpacked_task(task_ = tasks_.read(places[0]));
    name_ = task.name;
    result_ = results_.read(places[1]);
    out.index = index_++;
    out.data = result_.data();
    out.n_data = result_.size();
    if (LEVIN_KNOWS(levin_result, &out, name)) out.name = name_.empty() ? nullptr : name_.c_str();
    return true;
  }

 private:
  std::ifstream order_;
  RecordFile tasks_, results_;
  std::string task_, name_, result_;
  uint64_t index_ = 0;
};

void run_sum(TasksComponent& tasks, const Setup& setup) {
  const uint64_t count = std::filesystem::file_size(setup.files.order()) / (2 * sizeof(Place));
  ResultReader results(setup.files);
  RecordFile output(setup.files.unfinished_output(), 0);
  tasks.sum(
      count, [&](levin_result& out) { return results.next(out); },
      [&](std::string_view bytes) { output.append(bytes); });
  output.sync();
  std::filesystem::rename(setup.files.unfinished_output(), setup.files.output());
  sync_file(setup.files.output());
}

Frame answer(TasksComponent& tasks, const Setup& setup, const Frame& call) {
  Frame out{Message::result, call.attempt, call.index, {}};
  try {
    if (call.kind == Message::read) run_read(tasks, setup, call.bytes);
    if (call.kind == Message::handle)
      out.bytes = tasks.handle(unpacked_task(call.bytes), call.index, call.attempt, setup.max_size);
    if (call.kind == Message::sum) run_sum(tasks, setup);
  } catch (const std::exception& e) {
    out.kind = Message::failed;
    out.bytes = e.what();
  }
  return out;
}

int work(int fd) {
  Frame frame;
  if (!read_frame(fd, frame) || frame.kind != Message::setup) return static_cast<int>(ErrorKind::usage);
  try {
    const Setup setup = read_setup(frame.bytes);
    limit_memory(setup.memory);
    drop_privileges(setup.user);
    TasksComponent tasks(setup.file, setup.component, setup.options, setup.trust);
    if (!write_frame(fd, {Message::ready, 0, 0, {}})) return 0;
    while (read_frame(fd, frame))
      if (!write_frame(fd, answer(tasks, setup, frame))) break;
  } catch (const std::exception& e) {
    write_frame(fd, {Message::failed, 0, 0, e.what()});
    return static_cast<int>(ErrorKind::plugin);
  }
  return 0;
}

}  // namespace
}  // namespace levin::core::tasks

int main(int argc, char** argv) {
  if (argc != 2 || fcntl(std::atoi(argv[1]), F_GETFD) < 0) {
    std::fprintf(stderr, "host-tasks-worker is started by host tasks\n");
    return static_cast<int>(levin::core::ErrorKind::usage);
  }
  const int fd = std::atoi(argv[1]);
  fcntl(fd, F_SETFD, FD_CLOEXEC);  // programs that the component starts must not keep it open
  const int code = levin::core::tasks::work(fd);
  std::fflush(nullptr);
  _exit(code);  // runs no static destructors of the component's libraries
}
