#include "sdk/include/levin/tasks.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/error.hpp"
#include "host/engine/check/rules/rules.hpp"

namespace levin::core {
namespace {

struct CheckedTask {
  std::string data, name;
  double weight = 1;
  bool operator==(const CheckedTask& o) const { return data == o.data && name == o.name && weight == o.weight; }
};

constexpr size_t most_handled = 8;
constexpr uint64_t most_bytes = uint64_t{64} << 20;

// An instance of the component, called as `host tasks` does. `refuse`: the sinks refuse everything.
class TriedTasks {
 public:
  explicit TriedTasks(const Subject& subject, bool refuse = false)
      : created_(subject.create()), tasks_(make_component(created_)), refuse_(refuse) {
    const auto* table = reinterpret_cast<const levin_tasks*>(created_.table);
    if (!LEVIN_HAS(levin_tasks, table, read) || !LEVIN_HAS(levin_tasks, table, handle) ||
        !LEVIN_HAS(levin_tasks, table, sum))
      throw Error(ErrorCode::plugin_lacks_function, "its table lacks read, handle or sum");
  }

  std::vector<CheckedTask> read(const std::string& path) {
    Sink<std::vector<CheckedTask>> to{{}, refuse_};
    const levin_task_sink sink = {
        sizeof sink, 0, &to, [](const levin_task_sink* s, const levin_task* task) {
          auto& [all, refused] = *static_cast<Sink<std::vector<CheckedTask>>*>(s->ctx);
          if (refused) return levin_status{LEVIN_E_STATE};
          all.push_back({bytes(task->data, task->n_data), task->name ? task->name : "", task->weight});
          return levin_status{LEVIN_OK};
        }};
    call("read", [&] { return table().read(tasks_->self(), path.c_str(), &sink); });
    return to.out;
  }
  std::string handle(const CheckedTask& task, uint64_t index) {
    const levin_task raw = {sizeof raw,
                            1,
                            index,
                            task.data.data(),
                            task.data.size(),
                            task.name.empty() ? nullptr : task.name.c_str(),
                            task.weight,
                            0,
                            0,
                            0,
                            nullptr};
    return written("handle", [&](const levin_bytes_sink* sink) { return table().handle(tasks_->self(), &raw, sink); });
  }
  std::string sum(const std::vector<std::string>& results) {
    std::pair<const std::vector<std::string>*, size_t> place(&results, 0);
    const levin_results list = {sizeof list, 0, &place, results.size(), [](const levin_results* r, levin_result* out) {
                                  auto& [all, next] = *static_cast<decltype(place)*>(r->ctx);
                                  if (next == all->size()) return levin_status{LEVIN_STOP};
                                  out->index = next;
                                  out->data = (*all)[next].data();
                                  out->n_data = (*all)[next++].size();
                                  out->name = nullptr;
                                  return levin_status{LEVIN_OK};
                                }};
    return written("sum", [&](const levin_bytes_sink* sink) { return table().sum(tasks_->self(), &list, sink); });
  }

 private:
  template <class Out>
  struct Sink {
    Out out;
    bool refused;
  };
  static std::string bytes(const void* data, uint64_t n) {
    if (n > most_bytes)
      throw Error(ErrorCode::plugin_answer_invalid, "a task or result of " + std::to_string(n) + " bytes");
    return n ? std::string(static_cast<const char*>(data), n) : std::string();
  }
  const levin_tasks& table() const { return *reinterpret_cast<const levin_tasks*>(created_.table); }
  template <class Call>
  void call(const char* name, Call&& f) {
    tasks_->invoke(name, f);
  }
  template <class Call>
  std::string written(const char* name, Call&& f) {
    Sink<std::string> to{{}, refuse_};
    const levin_bytes_sink sink = {sizeof sink, 0, &to, [](const levin_bytes_sink* s, const void* data, uint64_t n) {
                                     auto& [text, refused] = *static_cast<Sink<std::string>*>(s->ctx);
                                     if (refused) return levin_status{LEVIN_E_STATE};
                                     text += bytes(data, n);
                                     return levin_status{LEVIN_OK};
                                   }};
    call(name, [&] { return f(&sink); });
    return to.out;
  }

  Created created_;
  std::unique_ptr<Component> tasks_;
  bool refuse_;
};

// What the rules share: the file, its tasks and their results.
class TasksCheck {
 public:
  explicit TasksCheck(const Subject& subject) : subject_(subject) {
    const auto given = subject.given.find("file");
    if (given != subject.given.end()) path_ = given->get<std::string>();
    if (!path_.empty()) return;
    path_ = subject.scratch + "/tasks.txt";
    std::ofstream(path_) << "100\n200\n300\n";
  }

  std::string read() {
    try {
      tasks_ = TriedTasks(subject_).read(path_);
    } catch (const ForeignException&) {
      throw;
    } catch (const Error& e) {
      throw Skip{"it refuses " + path_ + "; name a file of tasks with --file: " + e.what()};
    }
    if (tasks_.empty()) throw Skip{"there is no task in " + path_ + "; name a file of tasks with --file"};
    if (TriedTasks(subject_).read(path_) != tasks_) return "another instance reads other tasks from the same file";
    return "";
  }
  std::string missing_file() {
    try {
      TriedTasks(subject_).read(subject_.scratch + "/no_such_file");
    } catch (const ForeignException& e) {
      return e.what();
    } catch (const Error&) {
      return "";
    }
    return "a file that does not exist is not refused";
  }
  std::string handle() {
    const size_t n = std::min(tasks_.size(), most_handled);
    results_.assign(n, "");
    TriedTasks first(subject_), second(subject_);
    for (size_t i = 0; i < n; ++i) results_[i] = first.handle(tasks_[i], i);
    for (size_t i = n; i-- > 0;)
      if (second.handle(tasks_[i], i) != results_[i])
        throw Skip{"task " + std::to_string(i) +
                   " has another result in another instance, after other tasks: a result that depends on anything "
                   "but the task differs from run to run"};
    return "";
  }
  std::string sum() {
    output_ = TriedTasks(subject_).sum(results_);
    return TriedTasks(subject_).sum(results_) == output_ ? "" : "the same results give another output";
  }
  std::string refused() {
    const auto refuses = [this](const char* name, bool gives, const std::function<void(TriedTasks&)>& call) {
      TriedTasks tried(subject_, true);
      try {
        call(tried);
      } catch (const ForeignException&) {
        throw;
      } catch (const Error&) {
        return std::string();
      }
      return gives ? std::string(name) + " succeeds although the host refuses what it gives" : "";
    };
    std::string problem = refuses("read", true, [&](TriedTasks& t) { t.read(path_); });
    if (problem.empty())
      problem = refuses("handle", !results_[0].empty(), [&](TriedTasks& t) { t.handle(tasks_[0], 0); });
    if (problem.empty()) problem = refuses("sum", !output_.empty(), [&](TriedTasks& t) { t.sum(results_); });
    return problem;
  }

 private:
  const Subject& subject_;
  std::string path_;
  std::vector<CheckedTask> tasks_;
  std::vector<std::string> results_;
  std::string output_;
};

}  // namespace

void check_tasks(Report& report, const Subject& subject) {
  TasksCheck tasks(subject);
  report.check(41, "read refuses a file that does not exist", [&] { return tasks.missing_file(); });
  const bool read = report.prepare(42, "read adds the same tasks in each instance", [&] { return tasks.read(); });
  if (!read) return;
  report.prepare(43, "handle gives the same result in each instance, in any order", [&] { return tasks.handle(); });
  report.check(44, "sum gives the same output in each instance", [&] { return tasks.sum(); });
  report.check(45, "read, handle and sum fail if the host refuses what they give", [&] { return tasks.refused(); });
}

}  // namespace levin::core
