// Loggers: derive from levin::Logger and declare any of
//   void begin(const levin::LoggerBegin&);                        the run starts or is resumed
//   void metrics(int64_t step, const levin::Metrics&);            numbers by name
//   void media(const levin_media&);                               images, audio, tables, ...: see levin_media
//   void after_save(const levin::Saved&);                         a checkpoint was written (or const std::string& path)
//   void artifact(const levin::Artifact&);                        a file or folder to keep with the run
//   void hparams(const std::string& json);                        hyper-parameters set after begin
//   std::string url();                                            address of the run's page; called after begin
//   void flush();                                                 before each checkpoint, and at the end
//   void finalize(const std::string& status);                     "success", "failed" or "interrupted"
// All calls are made on the training thread. With `static constexpr bool off_thread = true` the calls after begin and
// url are made on another thread, one at a time and in order, so that a slow server does not slow down training;
// services of the run are not available there. A logger that throws is not called again in this run.
#pragma once
#include <string>
#include <vector>

#include "levin/callback.hpp"
#include "levin/hparams.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

class Logger : public Object {};

struct LoggerBegin {
  levin::Run run;
  std::string run_dir, run_id;
  std::string hparams_json;  // every option of the run, without secrets
  int64_t resumed_step;      // -1 = a fresh run; else the checkpoint's step: drop what was logged at later steps
  std::string run_name;      // given by the user; "" = none
  std::vector<std::string> tags;
  HParams hparams;  // the options of hparams_json with their types; borrowed for the call
};

struct Artifact {
  std::string path;  // absolute, of a file or folder
  std::string name;  // the name under which it is kept
  std::string type;  // "model", "dataset", ...; "" = a file
};

// The pointers are borrowed for the call.
struct Metrics {
  const char* const* names;
  const double* values;
  uint32_t size;  // number of names and values
};

namespace detail {
inline std::string text_or_empty(const char* text) { return text ? text : ""; }
inline std::string text_or_empty(const std::string& text) { return text; }

inline LoggerBegin begin_of(const Run& run, const levin_logger_begin& in) {
  LoggerBegin out{run,
                  text_or_empty(in.run_dir),
                  text_or_empty(in.run_id),
                  text_or_empty(in.hparams_json),
                  in.resumed_step,
                  text_or_empty(in.run_name),
                  {},
                  HParams(in.hparams, in.hparam_names)};
  for (const char* const* tag = in.tags; tag && *tag; ++tag) out.tags.emplace_back(*tag);
  return out;
}

// Data of the table for each logger.
struct LoggerExtra {
  std::string url;
};
template <class T>
using LoggerHolder = Holder<T, LoggerExtra>;

template <class T>
void add_late_calls(levin_logger& t) {
  using H = LoggerHolder<T>;
  if constexpr (has_method<T, name_artifact>())
    t.artifact = [](void* self, const levin_artifact* a) noexcept {
      return with_object<H>(self, [a](T& object) {
        object.artifact(Artifact{text_or_empty(a->path), text_or_empty(a->name), text_or_empty(a->type)});
      });
    };
  if constexpr (has_method<T, name_hparams>())
    t.hparams = [](void* self, const char* json) noexcept {
      return with_object<H>(self, [json](T& object) { object.hparams(json); });
    };
  if constexpr (has_method<T, name_url>())
    t.url = [](void* self) noexcept -> const char* {
      std::string& url = H::of(self).extra.url;
      const levin_status status = with_object<H>(self, [&url](T& object) { url = text_or_empty(object.url()); });
      return status < 0 || url.empty() ? nullptr : url.c_str();
    };
}

template <class T>
levin_logger make_logger_table() {
  using H = LoggerHolder<T>;
  levin_logger t{};
  t.o = object_table<H>();
  t.o.size = sizeof t;
  if constexpr (has_begin<T>::value)
    t.begin = [](void* self, const levin_logger_begin* in) noexcept {
      return with_object<H>(self, [in](T& object) { object.begin(begin_of(Run(&object.services(), in->run), *in)); });
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
      return with_object<H>(self, [saved](T& object) {
        if constexpr (std::is_invocable_v<decltype(&T::after_save), T&, const Saved&>)
          object.after_save(saved_of(*saved));
        else
          object.after_save(saved->path);
      });
    };
  if constexpr (has_flush<T>::value)
    t.flush = [](void* self) noexcept { return with_object<H>(self, [](T& object) { object.flush(); }); };
  if constexpr (has_finalize<T>::value)
    t.finalize = [](void* self, const char* status) noexcept {
      return with_object<H>(self, [status](T& object) { object.finalize(status); });
    };
  add_late_calls<T>(t);
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
  levin_component c{};
  if constexpr (!std::is_base_of_v<Logger, T>) {
    static_assert(std::is_base_of_v<Logger, T>, "a logger derives from levin::Logger");
  } else if constexpr (!detail::is_publicly<T, Logger>) {
    LEVIN_DEMAND_PUBLIC(T, Logger, "levin::Logger");
  } else if constexpr (detail::logger_is_sound<T>()) {
    c = detail::component_of<T>(LEVIN_KIND_LOGGER, id, summary);
    if constexpr (detail::has_off_thread<T>::value) c.flags |= T::off_thread ? LEVIN_F_OFF_THREAD : 0u;
    c.create = &detail::create<detail::LoggerHolder<T>, &detail::logger_table<T>>;
  } else {
    detail::demand_logger<T>();
  }
  return c;
}

}  // namespace levin
#pragma GCC visibility pop
