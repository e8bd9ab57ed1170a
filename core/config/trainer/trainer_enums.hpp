// The enums behind options with choices (precision, accelerator, profiler ...), with their names.
#pragma once
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.hpp"

namespace levin::core {

enum class GradientClipAlgorithm { norm, value };
template <>
inline constexpr auto enum_names<GradientClipAlgorithm> = std::array{"norm", "value"};

// The floating-point type of a run. "true" types apply to parameters and computation, "mixed" types only to the
// computation.
enum class PrecisionType { true_32, true_64, mixed_16, mixed_bf16, true_16, true_bf16 };
template <>
inline constexpr auto enum_names<PrecisionType> =
    std::array{"32-true", "64-true", "16-mixed", "bf16-mixed", "16-true", "bf16-true"};

enum class Accelerator { automatic, cpu, gpu, cuda };
template <>
inline constexpr auto enum_names<Accelerator> = std::array{"auto", "cpu", "gpu", "cuda"};

// Whether training steps are recorded and replayed.
enum class Capture { off, on };
template <>
inline constexpr auto enum_names<Capture> = std::array{"off", "on"};

// The kernels of core/kernels on the CPU.
enum class CpuKernels { automatic, off };
template <>
inline constexpr auto enum_names<CpuKernels> = std::array{"auto", "off"};

// The precision of float32 matrix products, by the names of torch.set_float32_matmul_precision.
enum class MatmulPrecision { highest, high, medium };
template <>
inline constexpr auto enum_names<MatmulPrecision> = std::array{"highest", "high", "medium"};

enum class ProfilerKind { simple, advanced };
template <>
inline constexpr auto enum_names<ProfilerKind> = std::array{"simple", "advanced"};

// What happens when a loss or a gradient is NaN or infinite. Except with `ignore`, no weight changes.
enum class NonFinite {
  stop,       // the run ends
  skip,       // the optimizer step is skipped
  roll_back,  // weights and optimizers are restored from the last checkpoint
  ignore,     // no check
};
template <>
inline constexpr auto enum_names<NonFinite> = std::array{"stop", "skip", "roll_back", "ignore"};

// How the devices and processes of a run work together.
enum class StrategyType {
  automatic,       // ddp with several processes, else single_device
  single_device,   // one process
  ddp,             // data parallel: gradients are averaged over the processes
  zero1,           // ddp with the optimizer state sharded over the processes
  dp,              // one process with a replica of the model on each device
  model_parallel,  // the model places its own parts on the devices of its process; ddp over processes
};
template <>
inline constexpr auto enum_names<StrategyType> =
    std::array{"auto", "single_device", "ddp", "zero1", "dp", "model_parallel"};

// What the launchers, and the check of options, have to know of a strategy.
struct StrategyFacts {
  enum class Process { of_run, of_device, of_group };  // of_group: of trainer.devices_per_process devices
  Process process;
  // The parts of the model that compute in parallel in a process, one for each device; nullptr = there are none.
  const char* parallel = nullptr;
  const char* option = nullptr;  // an option of trainer that this strategy alone has
};
constexpr StrategyFacts strategy_facts[] = {{StrategyFacts::Process::of_device},
                                            {StrategyFacts::Process::of_run},
                                            {StrategyFacts::Process::of_device},
                                            {StrategyFacts::Process::of_device},
                                            {StrategyFacts::Process::of_run, "replicas", "output_device"},
                                            {StrategyFacts::Process::of_group, nullptr, "devices_per_process"}};
static_assert(std::size(strategy_facts) == enum_names<StrategyType>.size());
constexpr const StrategyFacts& facts_of(StrategyType type) { return strategy_facts[static_cast<size_t>(type)]; }
inline const StrategyFacts& facts_of(std::string_view name) {
  return facts_of(value_named<StrategyType>(name).value_or(StrategyType::automatic));
}

// How learning rates scale with the number of processes.
enum class LrScaling { none, linear, sqrt };
template <>
inline constexpr auto enum_names<LrScaling> = std::array{"none", "linear", "sqrt"};

// The data type in which gradients are communicated.
enum class GradientCompression { none, fp16, bf16 };
template <>
inline constexpr auto enum_names<GradientCompression> = std::array{"none", "fp16", "bf16"};

// Whether reductions within one machine use shared memory.
enum class SharedMemoryUse { automatic, on, off };
template <>
inline constexpr auto enum_names<SharedMemoryUse> = std::array{"auto", "on", "off"};

enum class ProcessGroupBackend { automatic, gloo, nccl, mpi };
template <>
inline constexpr auto enum_names<ProcessGroupBackend> = std::array{"auto", "gloo", "nccl", "mpi"};

// How the batches of several loaders are combined.
enum class CombinedMode {
  max_size_cycle,  // all together until the longest ends; shorter ones start over
  min_size,        // all together until one ends
  max_size,        // all together until all have ended; an exhausted loader gives no batch
  sequential,      // one loader after another
};
template <>
inline constexpr auto enum_names<CombinedMode> = std::array{"max_size_cycle", "min_size", "max_size", "sequential"};

// The parsed value of trainer.devices.
struct DeviceChoice {
  enum class Kind { automatic, none, count, all, listed };
  Kind kind = Kind::automatic;
  int count = 0;               // for Kind::count
  std::vector<int> ids;        // for Kind::listed
  std::string given = "auto";  // the value as the user wrote it, for messages
};

}  // namespace levin::core
