// bench-all-reduce RANKS...: measures one all-reduce of floats by size among processes of this machine, through shared
// memory and with Gloo over loopback. The two alternate. Prints the median and the minimum of all rounds at rank 0.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <sys/wait.h>
#include <unistd.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "transports/node/shared_memory.hpp"

namespace {

using levin::core::NodeReduction;
using levin::core::SharedMemory;

constexpr int64_t sizes[] = {4, 256, 4 << 10, 16 << 10, 88 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20};

struct Times {
  std::vector<double> us;
  double median() { return std::sort(us.begin(), us.end()), us[us.size() / 2]; }
  double least() { return *std::min_element(us.begin(), us.end()); }
  template <class Work>
  void add(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
};

c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo_group(const c10::intrusive_ptr<c10d::Store>& store, int rank,
                                                      int size) {
  auto options = c10d::ProcessGroupGloo::Options::create();
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface("lo"));
  return c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, size, options);
}

SharedMemory shared_memory(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size) {
  levin::core::SharedMemoryOptions options;
  options.exchange.rank = rank;
  options.exchange.size = size;
  options.exchange.publish = [store](const std::string& key, const std::string& value) {
    store->set(key, std::vector<uint8_t>(value.begin(), value.end()));
  };
  options.exchange.fetch = [store](const std::string& key) {
    const auto value = store->get(key);
    return std::string(value.begin(), value.end());
  };
  return SharedMemory(std::move(options));
}

void run_rank(const std::string& file, int rank, int size) {
  at::set_num_threads(1);
  const c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<c10d::FileStore>(file, size);
  auto gloo = gloo_group(store, rank, size);
  SharedMemory memory = shared_memory(store, rank, size);
  if (!memory.usable()) std::fprintf(stderr, "no shared memory: %s\n", memory.reason().c_str()), std::exit(1);
  for (const int64_t bytes : sizes) {
    const at::Tensor tensor = at::zeros({bytes / 4}, at::kFloat);
    Times shared, other;
    for (int round = 0; round < (bytes > 1 << 20 ? 40 : 200); ++round) {
      for (int i = 0; i < 4; ++i) shared.add([&] { memory.all_reduce(tensor, NodeReduction::sum); });
      std::vector<at::Tensor> tensors{tensor};
      other.add([&] { gloo->allreduce(tensors)->wait(); });
    }
    if (rank == 0)
      std::printf("| %d | %ld | %.1f / %.1f | %.1f / %.1f | %.1f |\n", size, static_cast<long>(bytes), shared.least(),
                  shared.median(), other.least(), other.median(), other.median() / shared.median());
  }
}

bool run_ranks(int size) {
  const std::string file = "/tmp/levin_all_reduce_" + std::to_string(getpid()) + "_" + std::to_string(size);
  std::vector<pid_t> ranks;
  for (int rank = 0; rank < size; ++rank) {
    const pid_t pid = fork();
    if (pid == 0) {
      run_rank(file, rank, size);
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
  std::printf("| ranks | bytes | shared memory, us (least / median) | Gloo, us (least / median) | times |\n");
  std::printf("| --- | --- | --- | --- | --- |\n");
  std::fflush(nullptr);
  for (int i = 1; i < count; ++i)
    if (!run_ranks(std::max(1, std::atoi(arguments[i])))) return 1;
}
