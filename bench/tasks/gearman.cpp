// The same tasks through gearmand: `bench-gearman worker PORT` computes them, `bench-gearman client PORT TASKS BYTES
// SECONDS` prints the seconds that all of them took, and then a result in each line.
#include <libgearman/gearman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

std::vector<std::string> results;

[[noreturn]] void fail(const char* what, const char* why) {
  std::fprintf(stderr, "%s: %s\n", what, why);
  std::exit(1);
}

gearman_return_t handle(gearman_job_st* job, void*) {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  const std::string data(static_cast<const char*>(gearman_job_workload(job)),
                         std::min<size_t>(20, gearman_job_workload_size(job)));
  const double seconds = std::stod(data);
  if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  char text[80];
  const int size = std::snprintf(text, sizeof text, "%.6f %d", now.count(), static_cast<int>(::getpid()));
  return gearman_job_send_complete(job, text, static_cast<size_t>(size));
}

int worker(int port) {
  gearman_worker_st* self = gearman_worker_create(nullptr);
  gearman_worker_add_server(self, "127.0.0.1", static_cast<in_port_t>(port));
  gearman_worker_define_function(self, "echo", 4, gearman_function_create(handle), 0, nullptr);
  while (gearman_success(gearman_worker_work(self))) {
  }
  fail("worker", gearman_worker_error(self));
}

gearman_return_t complete(gearman_task_st* task) {
  results.emplace_back(static_cast<const char*>(gearman_task_data(task)), gearman_task_data_size(task));
  return GEARMAN_SUCCESS;
}

// At most 1,000 tasks, or 64 MiB of them, are under way.
int client(int port, size_t tasks, size_t bytes, const std::string& seconds) {
  std::string data = seconds + " ";
  data.resize(std::max(bytes, data.size()), 'x');
  const size_t most = std::clamp<size_t>((size_t{64} << 20) / data.size(), 4, 1000);
  gearman_client_st* self = gearman_client_create(nullptr);
  gearman_client_add_server(self, "127.0.0.1", static_cast<in_port_t>(port));
  gearman_client_set_complete_fn(self, complete);
  const auto begin = std::chrono::steady_clock::now();
  while (results.size() < tasks) {
    const size_t before = results.size(), count = std::min(most, tasks - before);
    for (size_t i = 0; i < count; ++i) {
      gearman_return_t code;
      const std::string unique = std::to_string(before + i);
      gearman_client_add_task(self, nullptr, nullptr, "echo", unique.c_str(), data.data(), data.size(), &code);
      if (!gearman_success(code)) fail("add", gearman_client_error(self));
    }
    if (!gearman_success(gearman_client_run_tasks(self))) fail("run", gearman_client_error(self));
    gearman_client_task_free_all(self);
    if (results.size() != before + count) fail("run", "results are missing");
  }
  std::printf("%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  for (const std::string& result : results) std::printf("%s\n", result.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "worker") == 0) return worker(std::atoi(argv[2]));
  if (argc == 6 && std::strcmp(argv[1], "client") == 0)
    return client(std::atoi(argv[2]), std::strtoul(argv[3], nullptr, 10), std::strtoul(argv[4], nullptr, 10), argv[5]);
  fail("bench-gearman", "worker PORT | client PORT TASKS BYTES SECONDS");
}
