#include "tasks/common/resources.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "core/base/error.hpp"
#include "core/base/machine.hpp"
#include "core/base/text.hpp"

namespace levin::core::tasks {
namespace {

constexpr size_t longest_label = 64;
constexpr size_t most_labels = 16;
constexpr uint64_t most_gpus = 4096;

bool is_label(std::string_view text) {
  constexpr std::string_view others = "-_.:=+";
  return !text.empty() && text.size() <= longest_label && std::all_of(text.begin(), text.end(), [&](char c) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return plain || others.find(c) != std::string_view::npos;
  });
}

uint64_t number_in(const std::string& text) {
  if (text.empty() || text.size() > 19 || text.find_first_not_of("0123456789") != std::string::npos)
    throw Error(ErrorCode::record_damaged, "the needs of a task are damaged");
  return std::strtoull(text.c_str(), nullptr, 10);
}

// The GPUs that programs of this process see.
std::vector<std::string> gpus_here() {
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    std::vector<std::string> out;
    for (const std::string& name : split(visible, ',')) {
      if (trim(name).empty() || trim(name) == "-1") break;  // CUDA sees none after it
      out.push_back(trim(name));
    }
    return out;
  }
  std::vector<std::string> out;
  std::error_code failed;
  for (std::filesystem::directory_iterator i("/proc/driver/nvidia/gpus", failed), end; !failed && i != end;
       i.increment(failed))
    out.push_back(std::to_string(out.size()));
  return out;
}

bool enough(uint64_t needed, uint64_t free, uint64_t kept) {
  return needed == 0 || (free > kept && free - kept >= needed);
}

}  // namespace

std::string text_of(const Needs& needs) {
  std::vector<std::string> parts;
  if (needs.cpus != 1) parts.push_back("cpus=" + std::to_string(needs.cpus));
  if (needs.gpus != 0) parts.push_back("gpus=" + std::to_string(needs.gpus));
  if (needs.memory != 0) parts.push_back("memory=" + std::to_string(needs.memory));
  if (!needs.labels.empty()) parts.push_back("labels=" + join(needs.labels, ","));
  return join(parts, " ");
}

Needs needs_of(std::string_view text) {
  Needs out;
  if (text.empty()) return out;
  for (const std::string& part : split(text, ' ')) {
    const size_t equals = part.find('=');
    const std::string name = part.substr(0, equals), value = equals < part.size() ? part.substr(equals + 1) : "";
    if (name == "labels")
      out.labels = split(value, ',');
    else if (name == "cpus")
      out.cpus = number_in(value);
    else if (name == "gpus")
      out.gpus = number_in(value);
    else if (name == "memory")
      out.memory = number_in(value);
    else
      throw Error(ErrorCode::record_damaged, "the needs of a task are damaged");
  }
  return out;
}

std::vector<std::string> read_labels(std::string_view text) {
  std::vector<std::string> out;
  if (text.empty()) return out;
  for (const std::string& part : split(text, ',')) {
    const std::string label = trim(part);
    if (!is_label(label))
      throw Error(ErrorCode::option_value_invalid,
                  "'" + label + "' is no label: use up to 64 letters, digits and -_.:=+, and commas between labels");
    out.push_back(label);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  if (out.size() > most_labels) throw Error(ErrorCode::option_value_invalid, "there are more than 16 labels");
  return out;
}

Amounts amounts_of(const Needs& needs) { return {1, needs.cpus, needs.gpus, needs.memory}; }

Amounts sum_of(const Amounts& a, const Amounts& b) {
  return {a.slots + b.slots, a.cpus + b.cpus, a.gpus + b.gpus, a.memory + b.memory};
}

std::string lacking(const Capacity& machine, const Needs& needs) {
  std::vector<std::string> out;
  const auto compare = [&](uint64_t needed, uint64_t has, const char* what) {
    if (needed > has) out.push_back(std::to_string(needed) + what + " (it has " + std::to_string(has) + ")");
  };
  compare(needs.cpus, machine.all.cpus, " cpus");
  compare(needs.gpus, machine.all.gpus, " gpus");
  compare(needs.memory, machine.all.memory, " MiB of memory");
  for (const std::string& label : needs.labels)
    if (!std::binary_search(machine.labels.begin(), machine.labels.end(), label))
      out.push_back("the label '" + label + "'");
  return join(out, ", ");
}

Machine read_machine(const MachineOptions& options) {
  Machine out;
  const uint64_t cpus = std::max(1u, std::thread::hardware_concurrency());
  out.gpus = gpus_here();
  if (options.gpus) {
    if (*options.gpus > most_gpus)
      throw Error(ErrorCode::option_value_invalid, "--gpus: a machine has at most 4096 GPUs");
    while (out.gpus.size() < *options.gpus) out.gpus.push_back(std::to_string(out.gpus.size()));
    out.gpus.resize(static_cast<size_t>(*options.gpus));
  }
  out.capacity.all.slots = options.slots;
  out.capacity.all.cpus = options.cpus.value_or(std::max(cpus, options.slots));
  out.capacity.all.gpus = out.gpus.size();
  out.capacity.all.memory = options.memory.value_or(static_cast<uint64_t>(memory_of_machine() / 1048576));
  out.capacity.labels = read_labels(options.labels);
  return out;
}

ResourcePool::ResourcePool(Machine machine)
    : machine_(std::move(machine)), free_(machine_.capacity.all), free_gpus_(machine_.gpus) {}

bool ResourcePool::fits(const Needs& needs, const Amounts& kept) const {
  const Amounts amounts = amounts_of(needs);
  return enough(amounts.slots, free_.slots, kept.slots) && enough(amounts.cpus, free_.cpus, kept.cpus) &&
         enough(amounts.gpus, free_.gpus, kept.gpus) && enough(amounts.memory, free_.memory, kept.memory);
}

std::optional<Share> ResourcePool::take(const Needs& needs, const std::vector<std::string>& preferred,
                                        const Amounts& kept) {
  if (!fits(needs, kept)) return std::nullopt;
  Share out{amounts_of(needs), {}};
  free_ = {free_.slots - out.amounts.slots, free_.cpus - out.amounts.cpus, free_.gpus - out.amounts.gpus,
           free_.memory - out.amounts.memory};
  const auto take_gpu = [&](std::vector<std::string>::iterator from) {
    out.gpus.push_back(std::move(*from));
    free_gpus_.erase(from);
  };
  for (const std::string& name : preferred) {
    const auto found = std::find(free_gpus_.begin(), free_gpus_.end(), name);
    if (out.gpus.size() < needs.gpus && found != free_gpus_.end()) take_gpu(found);
  }
  while (out.gpus.size() < needs.gpus) take_gpu(free_gpus_.begin());
  return out;
}

void ResourcePool::give_back(const Share& share) {
  free_ = sum_of(free_, share.amounts);
  free_gpus_.insert(free_gpus_.end(), share.gpus.begin(), share.gpus.end());
}

}  // namespace levin::core::tasks
