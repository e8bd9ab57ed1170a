#include "tasks/worker/component.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/error.hpp"
#include "core/config/arguments.hpp"
#include "tasks/common/resources.hpp"

namespace levin::core::tasks {
namespace {

constexpr size_t longest_name = 1000;
constexpr uint64_t most_memory = uint64_t{1} << 40;  // MiB; more than any machine has

std::string_view view_of(const void* data, uint64_t n) {
  return n ? std::string_view(static_cast<const char*>(data), static_cast<size_t>(n)) : std::string_view();
}

// The context of a sink. No exception may cross the plugin, so that the first one is kept and thrown after the call.
struct Sink {
  const levin_host& host;
  std::string failure;
  template <class F>
  levin_status keep(F&& f) {
    try {
      f();
      return LEVIN_OK;
    } catch (const std::exception& e) {
      failure = e.what();
      return host.fail(&host, LEVIN_E_IO, failure.c_str());
    }
  }
  void check() const {
    if (!failure.empty()) throw Error(ErrorCode::task_failed, failure);
  }
};

[[noreturn]] void refuse_size(const char* what, uint64_t size, uint64_t most) {
  throw Error(ErrorCode::task_failed, std::string(what) + " has " + std::to_string(size) +
                                          " bytes, more than the limit of " + std::to_string(most) +
                                          ": raise --max_size");
}

struct TaskSink : Sink {
  uint64_t most;
  const std::function<void(const TaskData&)>& add;
};
struct ByteSink : Sink {
  const std::function<void(std::string_view)>& write;
};
struct ResultSource : Sink {
  const std::function<bool(levin_result&)>& next;
};

std::string needs_of(const levin_task& task) {
  Needs out;
  if (LEVIN_KNOWS(levin_task, &task, cpus) && task.cpus > 0) out.cpus = task.cpus;
  if (LEVIN_KNOWS(levin_task, &task, gpus)) out.gpus = task.gpus;
  if (LEVIN_KNOWS(levin_task, &task, memory)) out.memory = std::min(task.memory, most_memory);
  if (LEVIN_HAS(levin_task, &task, labels)) out.labels = read_labels(task.labels);
  return text_of(out);
}

levin_bytes_sink raw(ByteSink& sink) {
  return {sizeof(levin_bytes_sink), 0, &sink, [](const levin_bytes_sink* out, const void* data, uint64_t n) {
            auto& to = *static_cast<ByteSink*>(out->ctx);
            return to.keep([&] { to.write(view_of(data, n)); });
          }};
}

}  // namespace

TasksComponent::TasksComponent(const std::string& file, const std::string& component, const nlohmann::json& options,
                               bool trust)
    : plugin_(load_plugin(file, hosts_, {trust})) {
  name_ = plugin_.path.filename().string() + ": " + component;
  const levin_component* found = plugin_.component(LEVIN_KIND_TASKS, component);
  if (!found) throw Error(ErrorCode::component_not_in_plugin, file + " has no tasks '" + component + "'");
  const ComponentSchema* schema = nullptr;
  for (const ComponentSchema& one : plugin_.schema.components)
    if (one.kind == LEVIN_KIND_TASKS && one.id == component) schema = &one;
  const Arguments arguments(schema->options, options);
  const levin_create in{sizeof in, LEVIN_STAGE_PREDICT, arguments.raw(), nullptr, component.c_str()};
  const levin_object* table = nullptr;
  call("create", [&] { return found->create(plugin_.host, &in, &self_, &table); });
  table_ = reinterpret_cast<const levin_tasks*>(table);
  if (!table_ || !LEVIN_HAS(levin_tasks, table_, read) || !LEVIN_HAS(levin_tasks, table_, handle) ||
      !LEVIN_HAS(levin_tasks, table_, sum))
    throw Error(ErrorCode::plugin_lacks_function, name_ + ": its table lacks read, handle or sum");
}

TasksComponent::~TasksComponent() {
  if (table_ && table_->o.destroy) table_->o.destroy(self_);
}

template <class F>
void TasksComponent::call(const char* name, F&& f) {
  const std::string where = name_ + "." + name + ": ";
  levin_status status;
  plugin_.host->fail(plugin_.host, LEVIN_OK, "");
  try {
    status = f();
  } catch (const std::exception& e) {
    throw Error(ErrorCode::task_failed, where + "an exception left the plugin: " + e.what());
  } catch (...) {
    throw Error(ErrorCode::task_failed, where + "an exception left the plugin");
  }
  if (status >= 0) return;
  const std::string reason = hosts_.last_failure(*plugin_.host);
  throw Error(ErrorCode::task_failed,
              where + (reason.empty() ? "failed with status " + std::to_string(status) : reason));
}

void TasksComponent::read(const std::string& path, uint64_t most, const std::function<void(const TaskData&)>& add) {
  TaskSink to{{*plugin_.host, {}}, most, add};
  const levin_task_sink sink{sizeof sink, 0, &to, [](const levin_task_sink* raw, const levin_task* task) {
                               auto& tasks = *static_cast<TaskSink*>(raw->ctx);
                               return tasks.keep([&] {
                                 if (task->n_data > tasks.most) refuse_size("a task", task->n_data, tasks.most);
                                 const bool named = LEVIN_HAS(levin_task, task, name);
                                 const bool weighed = LEVIN_KNOWS(levin_task, task, weight) && task->weight > 0 &&
                                                      std::isfinite(task->weight);
                                 const std::string_view name = named ? task->name : "";
                                 const std::string needs = needs_of(*task);
                                 tasks.add({name.substr(0, longest_name), view_of(task->data, task->n_data),
                                            weighed ? task->weight : 1, needs});
                               });
                             }};
  call("read", [&] { return table_->read(self_, path.c_str(), &sink); });
  to.check();
}

std::string TasksComponent::handle(const TaskData& task, uint64_t index, uint32_t attempt, uint64_t most) {
  const std::string name(task.name);
  const levin_task in{
      sizeof in, attempt, index, task.data.data(), task.data.size(), name.empty() ? nullptr : name.c_str(), task.weight,
      0,         0,       0,     nullptr};
  std::string result;
  const std::function<void(std::string_view)> write = [&](std::string_view bytes) {
    if (result.size() + bytes.size() > most) refuse_size("the result", result.size() + bytes.size(), most);
    result += bytes;
  };
  ByteSink to{{*plugin_.host, {}}, write};
  const levin_bytes_sink sink = raw(to);
  call("handle", [&] { return table_->handle(self_, &in, &sink); });
  to.check();
  return result;
}

void TasksComponent::sum(uint64_t count, const std::function<bool(levin_result&)>& next,
                         const std::function<void(std::string_view)>& write) {
  ResultSource from{{*plugin_.host, {}}, next};
  const levin_results results{sizeof results, 0, &from, count, [](const levin_results* raw, levin_result* out) {
                                auto& source = *static_cast<ResultSource*>(raw->ctx);
                                bool more = false;
                                const levin_status status = source.keep([&] { more = source.next(*out); });
                                return status < 0 || more ? status : levin_status{LEVIN_STOP};
                              }};
  ByteSink to{{*plugin_.host, {}}, write};
  const levin_bytes_sink sink = raw(to);
  call("sum", [&] { return table_->sum(self_, &results, &sink); });
  from.check();
  to.check();
}

}  // namespace levin::core::tasks
