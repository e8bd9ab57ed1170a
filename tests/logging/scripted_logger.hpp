// A logger that records its calls, and helpers of the logger tests. The tests block the logger in a call until they
// release it, so that nothing depends on timing.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/logging/logger_list.hpp"
#include "temp_folder.hpp"

namespace scripted_logger {

using namespace levin::core;

using Lines = std::vector<std::string>;

// A logger that records its calls, and blocks in each call of `held` until it is released.
struct Scripted {
  std::mutex mutex;
  std::condition_variable changed;
  Lines lines;
  std::string fails, held;
  bool inside = false, go = false;
  std::thread::id thread;
  levin_logger table{};
  ComponentSchema schema;

  explicit Scripted(uint64_t flags = LEVIN_F_OFF_THREAD) {
    schema.flags = flags;
    table.o.size = sizeof table;
    table.o.save = [](void* self, const levin_writer* w) -> levin_status {
      const levin_status status = of(self).call("save", "");
      if (status == LEVIN_OK) w->put(w, "id", "remote-7", 8);
      return status;
    };
    table.o.load = [](void* self, const levin_reader*) -> levin_status { return of(self).call("load", ""); };
    table.begin = [](void* self, const levin_logger_begin*) -> levin_status { return of(self).call("begin", ""); };
    table.url = [](void*) -> const char* { return "https://example.org/7"; };
    table.metrics = [](void* self, int64_t step, const char* const* names, const double* values,
                       uint32_t n) -> levin_status {
      std::string text = " " + std::to_string(step);
      for (uint32_t i = 0; i < n; ++i)
        text += std::string(" ") + names[i] + "=" + std::to_string(values[i]).substr(0, 3);
      return of(self).call("metrics", text);
    };
    table.media = [](void* self, const levin_media* m) -> levin_status {
      const auto* pixels = static_cast<const uint8_t*>(m->view->data);
      return of(self).call("media", std::string(" ") + m->kind + " " + m->tag + " " + std::to_string(pixels[0]) +
                                        (m->view->strides ? " strided" : "") + (m->caption ? m->caption : ""));
    };
    table.artifact = [](void* self, const levin_artifact* a) -> levin_status {
      return of(self).call("artifact", std::string(" ") + a->name);
    };
    table.hparams = [](void* self, const char* json) -> levin_status {
      return of(self).call("hparams", std::string(" ") + json);
    };
    table.after_save = [](void* self, const levin_saved* s) -> levin_status {
      return of(self).call("after_save", (s->flags & LEVIN_SAVED_BEST ? " best " : " ") +
                                             std::string(s->monitor ? s->monitor : "unmonitored"));
    };
    table.flush = [](void* self) -> levin_status { return of(self).call("flush", ""); };
    table.finalize = [](void* self, const char* status) -> levin_status {
      return of(self).call("finalize", std::string(" ") + status);
    };
  }
  static Scripted& of(void* self) { return *static_cast<Scripted*>(self); }
  levin_status call(const std::string& name, const std::string& text) {
    std::unique_lock<std::mutex> lock(mutex);
    lines.push_back(name + text);
    thread = std::this_thread::get_id();
    if (name == held) {
      inside = true;
      changed.notify_all();
      changed.wait(lock, [this] { return go; });
      inside = false;
    }
    return name == fails ? LEVIN_E_IO : LEVIN_OK;
  }
  void wait_inside() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return inside; });
  }
  void let_go() {
    const std::lock_guard<std::mutex> lock(mutex);
    held.clear();
    go = true;
    changed.notify_all();
  }
  Lines seen() {
    const std::lock_guard<std::mutex> lock(mutex);
    return lines;
  }
  std::unique_ptr<Logger> logger(const char* name = "log") {
    return std::make_unique<Logger>(ComponentOrigin{name, "liblog.so", &schema, false}, &table.o, this);
  }
};

class Warnings {
 public:
  void add(const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines_.push_back(line);
  }
  Lines all() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  Lines lines_;
};

inline LoggerList list_of(const std::vector<Scripted*>& scripted, Warnings& warnings,
                          const DeliveryLimits& limits = {}) {
  std::vector<std::unique_ptr<Logger>> loggers;
  const char* names[] = {"log", "second", "third"};
  for (size_t i = 0; i < scripted.size(); ++i) loggers.push_back(scripted[i]->logger(names[i]));
  return LoggerList(
      std::move(loggers), [&warnings](const std::string& line) { warnings.add(line); }, limits);
}

inline void row(LoggerList& list, int64_t step) {
  OrderedMetrics metrics;
  metrics.set("m", static_cast<double>(step));
  list.metrics(step, metrics);
}

inline levin_logger_begin begin_in(const char* folder, int64_t resumed_step = -1) {
  levin_logger_begin begin{};
  begin.size = sizeof begin;
  begin.run_dir = folder;
  begin.resumed_step = resumed_step;
  return begin;
}

inline void load_all(LoggerList& list, const StateBag& state, const StateBag& calls) {
  for (const auto& logger : list.all())
    logger->load(state, calls, [&](Component& component) {
      const levin_reader reader = state.reader("1");
      component.load(reader);
    });
}

}  // namespace scripted_logger
