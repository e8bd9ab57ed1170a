// bench-hand WORKLOAD ROWS BATCH THREADS FOLDER runs the hand-written loop in turns with other sides.
// bench-hand WORKLOAD BATCH OUT runs a single step and writes its time into the file OUT.
#include <ATen/Parallel.h>
#include <torch/utils.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "bench/hand_loop.hpp"
#include "bench/turns.hpp"

using namespace levin_bench;

int main(int argc, char** argv) {
  if (argc != 4 && argc != 6) {
    std::fprintf(stderr, "usage: bench-hand WORKLOAD ROWS BATCH THREADS FOLDER | WORKLOAD BATCH OUT\n");
    return 2;
  }
  torch::manual_seed(0);
  const Workload& workload = find_workload(argv[1]);
  if (argc == 4) {
    at::set_num_threads(1);
    const int64_t batch = std::atoll(argv[2]);
    make_hand_loop(workload, batch, batch, "torch")->step(0);
    nlohmann::json result = Cost::now().json();
    result["peak_mib"] = peak_mebibytes();
    std::ofstream(argv[3]) << result;
  } else {
    at::set_num_threads(std::atoi(argv[4]));
    const auto loop = make_hand_loop(workload, std::atoll(argv[2]), std::atoll(argv[3]), "torch");
    for (Turns turns(argv[5]); turns.wait(); turns.done()) loop->epoch();
  }
  std::fflush(nullptr);
  _exit(0);
}
