// bench-log-reduction RANKS...: measures a training step's log calls of ten values with on_step and sync_dist among
// processes of this machine, with Gloo over loopback and through shared memory. Prints the median wall time and the
// mean CPU time of a step at rank 0.
#include <ATen/Parallel.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "core/distributed/process_group.hpp"
#include "core/distributed/rendezvous_file.hpp"
#include "core/logging/metrics/metric_store.hpp"
#include "core/logging/reduction/metric_reducer.hpp"

namespace {

using namespace levin::core;
constexpr int steps = 3000, warm_up = 300, values = 10;

void log_values(MetricStore& store, double value) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (int i = 0; i < values; ++i) out.push_back("metric_" + std::to_string(i));
    return out;
  }();
  store.set_batch(32, -1);
  for (const std::string& name : names) {
    levin_log l{};
    l.size = sizeof l;
    l.name = name.c_str();
    l.number = value;
    l.on_step = 1;
    l.on_epoch = 0;
    l.sync_dist = 1;
    l.batch_size = -1;
    store.log(LogOrigin::training_step, l);
  }
}

// Returns the store. Rank 0 serves it and writes its port into the file.
std::unique_ptr<Store> store_of(const std::string& file, int rank) {
  constexpr std::chrono::seconds timeout{60};
  RendezvousFile rendezvous(file, timeout);
  RendezvousAddress place;
  place.address = "127.0.0.1";
  if (rank != 0) {
    place.port = std::stoi(rendezvous.get("store"));
    return join_store(place, timeout);
  }
  auto store = serve_store(place, place.address, timeout);
  rendezvous.set("store", std::to_string(store->port()));
  return store;
}

void run_rank(const std::string& file, int rank, int size, bool shared) {
  at::set_num_threads(1);
  const auto store = store_of(file, rank);
  std::vector<int> ranks(static_cast<size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  ProcessGroup group(*store, "bench", ranks, rank, {});
  if (shared) group.use_shared_memory(*store, "bench_memory", /*always=*/true);
  MetricStore logged(true);
  MetricReducer reducer(group);
  std::vector<double> us;
  std::clock_t cpu = 0;
  for (int step = -warm_up; step < steps; ++step) {
    if (step == 0) cpu = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    log_values(logged, rank + step);
    reducer.reduce_steps(logged, true);
    if (step >= 0)
      us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  const double cpu_us = 1e6 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC / steps;
  std::nth_element(us.begin(), us.begin() + steps / 2, us.end());
  if (rank == 0)
    std::printf("| %d | %s | %.1f | %.1f |\n", size, shared ? "shared memory" : "Gloo", us[steps / 2], cpu_us);
  group.barrier();
}

bool run_ranks(int size, bool shared) {
  const std::string file = "/tmp/levin_log_reduction_" + std::to_string(getpid());
  std::vector<pid_t> ranks;
  for (int rank = 0; rank < size; ++rank) {
    const pid_t pid = fork();
    if (pid == 0) {
      run_rank(file, rank, size, shared);
      std::fflush(nullptr);
      _exit(0);
    }
    ranks.push_back(pid);
  }
  bool good = true;
  for (const pid_t pid : ranks) {
    int status = 0;
    good = waitpid(pid, &status, 0) == pid && status == 0 && good;
  }
  unlink(file.c_str());
  return good;
}

}  // namespace

int main(int count, char** arguments) {
  std::printf("| ranks | transport | step, us | processor time, us |\n| --- | --- | --- | --- |\n");
  std::fflush(nullptr);
  for (int i = 1; i < count; ++i)
    for (const bool shared : {false, true})
      if (!run_ranks(std::max(1, std::atoi(arguments[i])), shared)) return 1;
}
