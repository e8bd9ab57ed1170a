// Tasks: derive from levin::Tasks and declare
//   void read(const std::string& file, levin::TaskList& tasks);   tasks.add(data), once for each task
//   std::string handle(const levin::Task& task);                  the result of a task
//   std::string sum(levin::Results& results);                     the output, from all results in the order of the
//   tasks
//
//   class Squares : public levin::Tasks {
//    public:
//     void read(const std::string& file, levin::TaskList& tasks) {
//       std::ifstream in(file);
//       for (std::string line; std::getline(in, line);) tasks.add(line);
//     }
//     std::string handle(const levin::Task& task) { return std::to_string(std::pow(std::stod(task.text()), 2)); }
//     std::string sum(levin::Results& results) {
//       double total = 0;
//       for (levin::Result result; results.next(result);) total += std::stod(result.text());
//       return std::to_string(total);
//     }
//   };
//   LEVIN_PLUGIN("org.me.squares", "1.0.0", "MIT", levin::tasks<Squares>("squares", "Adds squares"))
//
// Data, results and the output are bytes. A library for JSON whose values have dump() and parse(), such as nlohmann's,
// may be used for each of them: tasks.add(json), return json, task.json<Json>(). sum may also be declared as
// void sum(levin::Results&, levin::Output&) and write an output of any size in pieces. `host tasks` creates an instance
// in each process, with the same options, and calls it on one thread.
#pragma once
#include <string>
#include <string_view>

#include "levin/detail/object.hpp"
#include "levin/detail/plugin.hpp"
#include "levin/tasks.h"

#pragma GCC visibility push(hidden)
namespace levin {

class Tasks : public Object {};

namespace detail {
template <class T, class = void>
struct has_dump : std::false_type {};
template <class T>
struct has_dump<T, std::void_t<decltype(std::declval<const T&>().dump())>> : std::true_type {};
// Returns the bytes of a text or of a JSON value.
template <class T>
decltype(auto) bytes_of(const T& value) {
  if constexpr (has_dump<T>::value)
    return value.dump();
  else
    return std::string_view(value);
}
template <class T>
constexpr bool is_bytes = has_dump<T>::value || std::is_convertible_v<const T&, std::string_view>;

inline std::string_view view_of(const void* data, uint64_t n) {
  return n ? std::string_view(static_cast<const char*>(data), static_cast<size_t>(n)) : std::string_view();
}
}  // namespace detail

// What a task is called, how long it takes, and what it needs. It runs where all of this is free:
//   levin::TaskOptions options;
//   options.gpus = 1;
//   tasks.add(data, options);
struct TaskOptions {
  std::string name;     // for people
  double weight = 1;    // expected cost compared with other tasks, heavier ones are started first
  uint32_t cpus = 1;    // that it uses
  uint32_t gpus = 0;    // for it alone; CUDA_VISIBLE_DEVICES of the process names them
  uint64_t memory = 0;  // MiB; 0 = not known
  std::string labels;   // that the worker must have, with commas between them: "a100,fast"
};

// The argument of read. add throws levin::Error if the host refuses the task, for example because it is too large.
class TaskList {
 public:
  explicit TaskList(const levin_task_sink* raw) : raw_(raw) {}
  // name: for people; weight: expected cost compared with other tasks, heavier ones are started first.
  template <class T>
  void add(const T& data, const std::string& name = {}, double weight = 1) {
    TaskOptions options;
    options.name = name;
    options.weight = weight;
    add(data, options);
  }
  template <class T>
  void add(const T& data, const TaskOptions& options) {
    static_assert(detail::is_bytes<T>, "the data of a task is a text, or a JSON value with dump()");
    const auto& bytes = detail::bytes_of(data);
    levin_task task{};
    task.size = sizeof task;
    task.data = bytes.data();
    task.n_data = bytes.size();
    task.name = options.name.empty() ? nullptr : options.name.c_str();
    task.weight = options.weight;
    task.cpus = options.cpus;
    task.gpus = options.gpus;
    task.memory = options.memory;
    task.labels = options.labels.empty() ? nullptr : options.labels.c_str();
    detail::check(raw_->add(raw_, &task), "the task is refused");
  }

 private:
  const levin_task_sink* raw_;
};

// The argument of handle, borrowed for the call.
class Task {
 public:
  explicit Task(const levin_task* raw) : raw_(raw) {}
  std::string_view data() const { return detail::view_of(raw_->data, raw_->n_data); }
  std::string text() const { return std::string(data()); }
  template <class Json>
  Json json() const {
    return Json::parse(data());
  }
  uint64_t index() const { return raw_->index; }      // place in the order in which read added the tasks, from 0
  uint32_t attempt() const { return raw_->attempt; }  // 1 = the first one
  std::string name() const { return raw_->name ? raw_->name : ""; }
  double weight() const { return raw_->weight; }

 private:
  const levin_task* raw_;
};

// A result in sum, valid until the next one is read.
class Result {
 public:
  std::string_view data() const { return detail::view_of(raw_.data, raw_.n_data); }
  std::string text() const { return std::string(data()); }
  template <class Json>
  Json json() const {
    return Json::parse(data());
  }
  uint64_t index() const { return raw_.index; }  // of the task
  std::string name() const { return raw_.name ? raw_.name : ""; }

 private:
  friend class Results;
  levin_result raw_{};
};

// The argument of sum: the results of all tasks, in the order of the tasks, each exactly once.
class Results {
 public:
  explicit Results(const levin_results* raw) : raw_(raw) {}
  uint64_t size() const { return raw_->count; }
  // Reads the next result. Returns false at the end.
  bool next(Result& out) {
    out.raw_ = {};
    out.raw_.size = sizeof out.raw_;
    const levin_status status = raw_->next(raw_, &out.raw_);
    detail::check(status, "the results cannot be read");
    return status != LEVIN_STOP;
  }

 private:
  const levin_results* raw_;
};

// Receives the output of sum in pieces.
class Output {
 public:
  explicit Output(const levin_bytes_sink* raw) : raw_(raw) {}
  template <class T>
  void write(const T& piece) {
    static_assert(detail::is_bytes<T>, "an output is a text, or a JSON value with dump()");
    const auto& bytes = detail::bytes_of(piece);
    detail::check(raw_->write(raw_, bytes.data(), bytes.size()), "the output cannot be written");
  }

 private:
  const levin_bytes_sink* raw_;
};

namespace detail {
struct Bytes {
  template <class R>
  static constexpr bool takes = is_bytes<R>;
};
struct BytesOrNothing {
  template <class R>
  static constexpr bool takes = std::is_void_v<R> || is_bytes<std::conditional_t<std::is_void_v<R>, std::string, R>>;
};
// levin/torch.hpp has a detail::Output and a detail::Results of its own.
#define LEVIN_FOR_EACH_TASKS_MEMBER(X)                                                       \
  X(read, Anything, "void read(const std::string& file, levin::TaskList& tasks)",            \
    Takes<const std::string&, TaskList&>)                                                    \
  X(handle, Bytes, "std::string handle(const levin::Task& task)", Takes<const Task&>)        \
  X(sum, BytesOrNothing, "std::string sum(levin::Results& results)", Takes<levin::Results&>, \
    Takes<levin::Results&, levin::Output&>)
LEVIN_FOR_EACH_TASKS_MEMBER(LEVIN_DETECT_MEMBER)
struct TasksNames {
  LEVIN_FOR_EACH_TASKS_MEMBER(LEVIN_INT_MEMBER)
};
#define LEVIN_TASKS_RULES(RULE)                                                                          \
  RULE((declares<T, TasksNames, name_read>()),                                                           \
       "tasks are read from a file: declare void read(const std::string& file, levin::TaskList& tasks)") \
  RULE((declares<T, TasksNames, name_handle>()),                                                         \
       "tasks have a result: declare std::string handle(const levin::Task& task)")                       \
  RULE((declares<T, TasksNames, name_sum>()),                                                            \
       "results become an output: declare std::string sum(levin::Results& results)")                     \
  RULE((!declares_hooks<T>()), "tasks have no hooks, so nobody would call them: use read, handle and sum")
template <class T>
constexpr bool tasks_are_sound() {
#define LEVIN_SOUND_MEMBER(member, ...) LEVIN_MEMBER_RULES(LEVIN_HOLDS, TasksNames, member, __VA_ARGS__)
  return component_is_sound<T>() LEVIN_TASKS_RULES(LEVIN_HOLDS) LEVIN_FOR_EACH_TASKS_MEMBER(LEVIN_SOUND_MEMBER);
#undef LEVIN_SOUND_MEMBER
}
template <class T>
constexpr void demand_tasks() {
#define LEVIN_DEMAND_MEMBER(member, ...) LEVIN_MEMBER_RULES(LEVIN_DEMAND, TasksNames, member, __VA_ARGS__)
  demand_component<T>();
  LEVIN_TASKS_RULES(LEVIN_DEMAND)
  LEVIN_FOR_EACH_TASKS_MEMBER(LEVIN_DEMAND_MEMBER)
#undef LEVIN_DEMAND_MEMBER
}

template <class T>
const levin_object* tasks_table() {
  using H = Holder<T, NoExtra>;
  static const levin_tasks table = [] {
    levin_tasks t{};
    t.o = object_table<H>();
    t.o.size = sizeof t;
    t.read = [](void* self, const char* path, const levin_task_sink* sink) noexcept {
      return with_object<H>(self, [&](T& object) {
        TaskList list(sink);
        object.read(path, list);
      });
    };
    t.handle = [](void* self, const levin_task* task, const levin_bytes_sink* sink) noexcept {
      return with_object<H>(self, [&](T& object) { levin::Output(sink).write(object.handle(Task(task))); });
    };
    t.sum = [](void* self, const levin_results* raw, const levin_bytes_sink* sink) noexcept {
      return with_object<H>(self, [&](T& object) {
        levin::Results results(raw);
        levin::Output output(sink);
        if constexpr (std::is_invocable_v<decltype(&T::sum), T&, levin::Results&, levin::Output&>)
          object.sum(results, output);
        else
          output.write(object.sum(results));
      });
    };
    return t;
  }();
  return &table.o;
}
}  // namespace detail

template <class T>
levin_component tasks(const char* id, const char* summary) {
  levin_component c{};
  if constexpr (!std::is_base_of_v<Tasks, T>) {
    static_assert(std::is_base_of_v<Tasks, T>, "a component of tasks derives from levin::Tasks");
  } else if constexpr (!detail::is_publicly<T, Tasks>) {
    LEVIN_DEMAND_PUBLIC(T, Tasks, "levin::Tasks");
  } else if constexpr (detail::tasks_are_sound<T>()) {
    c = detail::component_of<T>(LEVIN_KIND_TASKS, id, summary);
    c.create = &detail::create<detail::Holder<T, detail::NoExtra>, &detail::tasks_table<T>>;
  } else {
    detail::demand_tasks<T>();
  }
  return c;
}

}  // namespace levin
#pragma GCC visibility pop
