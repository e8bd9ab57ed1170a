// An instance of a component of tasks in this process.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "sdk/include/levin/tasks.h"
#include "tasks/common/record_file.hpp"
#include "tasks/worker/plain_host.hpp"

namespace levin::core::tasks {

class TasksComponent {
 public:
  // Loads the library after all checks of docs/plugin-files.md. Throws Error{plugin}, or Error{usage} if the component
  // refuses its options.
  TasksComponent(const std::string& file, const std::string& component, const nlohmann::json& options, bool trust);
  ~TasksComponent();
  TasksComponent(const TasksComponent&) = delete;
  TasksComponent& operator=(const TasksComponent&) = delete;

  // They throw Error{run} with the reason if the component fails. A task or a result of more than `most` bytes is
  // refused.
  void read(const std::string& path, uint64_t most, const std::function<void(const TaskData&)>& add);
  std::string handle(const TaskData& task, uint64_t index, uint32_t attempt, uint64_t most);
  // next: returns false at the end.
  void sum(uint64_t count, const std::function<bool(levin_result&)>& next,
           const std::function<void(std::string_view)>& write);

 private:
  template <class F>
  void call(const char* name, F&& f);
  PlainHosts hosts_;
  LoadedPlugin plugin_;
  std::string name_;  // FILE: COMPONENT
  void* self_ = nullptr;
  const levin_tasks* table_ = nullptr;
};

}  // namespace levin::core::tasks
