// Compares the checkpoints of two runs byte by byte.
#pragma once
#include <algorithm>
#include <string>

#include "core/checkpoint/container/safetensors_reader.hpp"

inline std::string bytes_of(const levin::core::SafetensorsReader& file, const std::string& name) {
  const levin::core::TensorView view = file.tensor(name);
  return std::string(static_cast<const char*>(view.data), view.bytes);
}

// Removes train_seconds, and the metrics train/..., which throughput_monitor measures.
inline void leave_out_clocks(nlohmann::json& loops) {
  if (!loops.is_object()) return;
  loops.erase("train_seconds");
  if (!loops.contains("callback_metrics")) return;
  auto& metrics = loops["callback_metrics"];
  const auto measured = [](const nlohmann::json& m) { return m[0].get<std::string>().rfind("train/", 0) == 0; };
  metrics.erase(std::remove_if(metrics.begin(), metrics.end(), measured), metrics.end());
}

// Returns the first difference between two checkpoints, or "". Ignores the wall clock, the configuration, and the
// states of callbacks and loggers, which contain paths.
inline std::string difference(const std::string& a, const std::string& b) {
  const levin::core::SafetensorsReader one(a), other(b);
  if (one.names() != other.names()) return "the names of the tensors";
  for (const std::string& name : one.names())
    if (name.compare(0, 10, "callbacks.") != 0 && name.compare(0, 8, "loggers.") != 0 &&
        bytes_of(one, name) != bytes_of(other, name))
      return name;
  for (const char* key : {"epoch", "global_step", "optimizer_states", "lr_schedulers", "precision", "loops"}) {
    nlohmann::json x = one.manifest().value(key, nlohmann::json()), y = other.manifest().value(key, nlohmann::json());
    leave_out_clocks(x);
    leave_out_clocks(y);
    if (x != y) return std::string("the manifest's ") + key + ": " + x.dump() + " and " + y.dump();
  }
  return "";
}

// Returns weights and optimizer state as bytes.
inline std::string trained(const std::string& path) {
  const levin::core::SafetensorsReader file(path);
  std::string out;
  for (const std::string& name : file.names())
    if (name.compare(0, 10, "state_dict") == 0 || name.compare(0, 16, "optimizer_states") == 0)
      out += name + bytes_of(file, name);
  return out;
}
