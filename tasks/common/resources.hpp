// What a task needs, and what a machine has for its tasks.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace levin::core::tasks {

struct Needs {
  uint64_t cpus = 1, gpus = 0, memory = 0;  // memory: MiB
  std::vector<std::string> labels;          // sorted, each once
};

// The needs as one line: "cpus=4 gpus=1 memory=2000 labels=a100,fast". One CPU alone is "". Equal needs have equal
// texts.
std::string text_of(const Needs& needs);
Needs needs_of(std::string_view text);  // throws Error{data}
// Reads names that are separated by commas. Throws Error{usage} if one of them cannot be a label.
std::vector<std::string> read_labels(std::string_view text);

// What is taken from a machine together. slots: tasks side by side.
struct Amounts {
  uint64_t slots = 0, cpus = 0, gpus = 0, memory = 0;
};
Amounts amounts_of(const Needs& needs);
Amounts sum_of(const Amounts& a, const Amounts& b);

struct Capacity {
  Amounts all;
  std::vector<std::string> labels;
};
// Returns what the needs have and the machine lacks, for example "4 gpus (it has 2)", or "" if it can run the task.
std::string lacking(const Capacity& machine, const Needs& needs);

struct Machine {
  Capacity capacity;
  std::vector<std::string> gpus;  // as CUDA_VISIBLE_DEVICES names them
};
// As the user declares a machine; without a number, what this machine has.
struct MachineOptions {
  uint64_t slots = 1;
  std::optional<uint64_t> cpus, gpus, memory;
  std::string labels;
};
Machine read_machine(const MachineOptions& options);

// What a task has got.
struct Share {
  Amounts amounts;
  std::vector<std::string> gpus;
};

// What of a machine is free.
class ResourcePool {
 public:
  explicit ResourcePool(Machine machine);
  const Machine& machine() const { return machine_; }
  // Returns true if there is room for the needs beside `kept`, which stays free for others.
  bool fits(const Needs& needs, const Amounts& kept = {}) const;
  // Returns nullopt if they do not fit. `preferred` GPUs are taken if they are free.
  std::optional<Share> take(const Needs& needs, const std::vector<std::string>& preferred = {},
                            const Amounts& kept = {});
  void give_back(const Share& share);

 private:
  const Machine machine_;
  Amounts free_;
  std::vector<std::string> free_gpus_;
};

}  // namespace levin::core::tasks
