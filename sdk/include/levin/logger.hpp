// Loggers: derive from levin::Logger and declare what you want of
//   void begin(const levin::LoggerBegin&);                        the run starts, for the first time or resumed
//   void metrics(int64_t step, const levin::Metrics&);            numbers by name
//   void media(const levin_media&);                               images, histograms, text
//   void after_save(const std::string& path);                     a checkpoint was written to that path
//   void flush();                                                 before each checkpoint, and at the end
//   void finalize(const std::string& status);                     "success", "failed" or "interrupted"
// All calls come from the training thread. A logger that throws after begin is left out of the rest of the run.
#pragma once
#include <string>

#include "levin/callback.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

class Logger : public Object {};

struct LoggerBegin {
  levin::Run run;
  std::string run_dir, run_id;
  std::string hparams_json;  // every option of the run, without secrets
  int64_t resumed_step;      // of the checkpoint; -1 in a fresh run. What was logged at later steps is to be dropped
};

// Borrowed for the call: the pointers end with it.
struct Metrics {
  const char* const* names;
  const double* values;
  uint32_t size;  // how many names and values there are
};

namespace detail {
inline std::string text_or_empty(const char* text) { return text ? text : ""; }

template <class T>
levin_logger make_logger_table() {
  using H = Holder<T, NoExtra>;
  levin_logger t{};
  t.o = object_table<H>();
  t.o.size = sizeof t;
  if constexpr (has_begin<T>::value)
    t.begin = [](void* self, const levin_logger_begin* in) noexcept {
      return with_object<H>(self, [in](T& object) {
        object.begin(LoggerBegin{Run(&object.services(), in->run), text_or_empty(in->run_dir),
                                 text_or_empty(in->run_id), text_or_empty(in->hparams_json), in->resumed_step});
      });
    };
  if constexpr (has_metrics<T>::value)
    t.metrics = [](void* self, int64_t step, const char* const* names, const double* values, uint32_t n) noexcept {
      return with_object<H>(self, [&](T& object) { object.metrics(step, Metrics{names, values, n}); });
    };
  if constexpr (has_media<T>::value)
    t.media = [](void* self, const levin_media* media) noexcept {
      return with_object<H>(self, [media](T& object) { object.media(*media); });
    };
  if constexpr (has_after_save<T>::value)
    t.after_save = [](void* self, const levin_saved* saved) noexcept {
      return with_object<H>(self, [saved](T& object) { object.after_save(saved->path); });
    };
  if constexpr (has_flush<T>::value)
    t.flush = [](void* self) noexcept { return with_object<H>(self, [](T& object) { object.flush(); }); };
  if constexpr (has_finalize<T>::value)
    t.finalize = [](void* self, const char* status) noexcept {
      return with_object<H>(self, [status](T& object) { object.finalize(status); });
    };
  return t;
}

template <class T>
const levin_object* logger_table() {
  static const levin_logger table = make_logger_table<T>();
  return &table.o;
}
}  // namespace detail

template <class T>
levin_component logger(const char* id, const char* summary) {
  static_assert(std::is_base_of_v<Logger, T>, "a logger derives from levin::Logger");
  levin_component c{};
  if constexpr (detail::logger_is_sound<T>()) {
    c = detail::component_of<T>(LEVIN_KIND_LOGGER, id, summary);
    c.create = &detail::create<detail::Holder<T, detail::NoExtra>, &detail::logger_table<T>>;
  } else {
    detail::demand_logger<T>();
  }
  return c;
}

}  // namespace levin
#pragma GCC visibility pop
