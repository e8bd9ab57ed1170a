// Tasks in a test:
//   Component pi(host, "pi");
//   const std::vector<ReadTask> tasks = read(pi, "tasks.txt");
//   const std::string result = handle(pi, tasks[0].data);
//   const std::string output = sum(pi, {result});
#pragma once
#include "levin/tasks.h"
#include "levin/testing/component.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing {

struct ReadTask {
  std::string data, name;
  double weight = 1;
  uint32_t cpus = 1, gpus = 0;
  uint64_t memory = 0;
  std::string labels;
};

namespace detail {
inline levin_bytes_sink sink_into(std::string& out) {
  return {sizeof(levin_bytes_sink), 0, &out,
          [](const levin_bytes_sink* sink, const void* data, uint64_t n) -> levin_status {
            static_cast<std::string*>(sink->ctx)->append(static_cast<const char*>(data), static_cast<size_t>(n));
            return LEVIN_OK;
          }};
}
}  // namespace detail

inline std::vector<ReadTask> read(Component& tasks, const std::string& path) {
  std::vector<ReadTask> out;
  const levin_task_sink sink = {
      sizeof sink, 0, &out, [](const levin_task_sink* to, const levin_task* task) -> levin_status {
        static_cast<std::vector<ReadTask>*>(to->ctx)->push_back(
            {std::string(static_cast<const char*>(task->data), static_cast<size_t>(task->n_data)),
             task->name ? task->name : "", task->weight, task->cpus, task->gpus, task->memory,
             task->labels ? task->labels : ""});
        return LEVIN_OK;
      }};
  tasks.check(tasks.table<levin_tasks>().read(tasks.self(), path.c_str(), &sink));
  return out;
}

inline std::string handle(Component& tasks, const std::string& data, uint64_t index = 0, uint32_t attempt = 1) {
  std::string out;
  const levin_task task = {sizeof task, attempt, index, data.data(), data.size(), nullptr, 1, 0, 0, 0, nullptr};
  const levin_bytes_sink sink = detail::sink_into(out);
  tasks.check(tasks.table<levin_tasks>().handle(tasks.self(), &task, &sink));
  return out;
}

// results: of the tasks 0, 1, 2, ...
inline std::string sum(Component& tasks, const std::vector<std::string>& results) {
  std::string out;
  std::pair<const std::vector<std::string>*, size_t> place(&results, 0);
  const levin_results list = {sizeof list, 0, &place, results.size(),
                              [](const levin_results* from, levin_result* result) -> levin_status {
                                auto& [all, next] = *static_cast<decltype(place)*>(from->ctx);
                                if (next == all->size()) return LEVIN_STOP;
                                result->index = next;
                                result->data = (*all)[next].data();
                                result->n_data = (*all)[next].size();
                                result->name = nullptr;
                                ++next;
                                return LEVIN_OK;
                              }};
  const levin_bytes_sink sink = detail::sink_into(out);
  tasks.check(tasks.table<levin_tasks>().sum(tasks.self(), &list, &sink));
  return out;
}

}  // namespace levin::testing
#pragma GCC visibility pop
