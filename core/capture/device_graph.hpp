// Work of a device that is recorded once and replayed, such as a CUDA graph. Its code is in a library that is loaded on
// demand, because only LibTorch's CUDA libraries have what it needs.
#pragma once
#include <c10/core/Device.h>

#include <functional>
#include <memory>
#include <string>

namespace levin::core {

class DeviceGraph {
 public:
  virtual ~DeviceGraph() = default;
  // Records the device's work that `work` starts on this thread and in its backward passes; none of it runs. Memory
  // that it allocates belongs to the graph, and keeps its address. Throws if something in it cannot be recorded, such
  // as a value read from the device; the device can be used as before then.
  virtual void record(const std::function<void()>& work) = 0;
  // Starts the recorded work on the current stream. Random numbers are drawn from the device's generator as by `work`.
  virtual void replay() = 0;
};

// The symbol of the library that makes a graph.
constexpr const char* make_device_graph_symbol = "levin_make_device_graph";
using MakeDeviceGraph = DeviceGraph* (*)(const c10::Device& device);

// Returns why graphs of such a device cannot be recorded, and what to do; "" if they can.
std::string why_no_device_graph(c10::Device device);
// Throws Error{usage} with the same text.
std::unique_ptr<DeviceGraph> make_device_graph(c10::Device device);

}  // namespace levin::core
