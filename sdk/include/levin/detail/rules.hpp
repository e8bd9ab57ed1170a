// The rules for the classes of callbacks and loggers (levin/detail/members.hpp), and which members they may have. Those
// of data modules are in levin/detail/data_rules.hpp, and those of models in levin/torch/model_rules.hpp.
#pragma once
#include <string>
#include <vector>

#include "levin/detail/event.hpp"
#include "levin/detail/members.hpp"
#include "levin/detail/misspelt_hooks.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

struct Artifact;
struct LoggerBegin;
struct Metrics;
struct Saved;

namespace detail {

// ---- hooks
// A hook returns nothing or a levin_status: `true` would be LEVIN_STOP.
struct NothingOrStatus {
  template <class R>
  static constexpr bool takes = std::is_void_v<R> || std::is_same_v<R, levin_status>;
};
#define LEVIN_DETECT_HOOK(NAME, bit, member) LEVIN_DETECT(member)
#define LEVIN_INT_HOOK(NAME, bit, member) int member;
LEVIN_FOR_EACH_HOOK(LEVIN_DETECT_HOOK)
struct HookNames {
  LEVIN_FOR_EACH_HOOK(LEVIN_INT_HOOK)
};
template <class T, class Name>
constexpr Fault hook_fault() {
  if constexpr (declares<T, HookNames, Name>() && has_pointer<T, Name>::value)
    if (!std::is_member_function_pointer_v<typename Name::template pointer<T>>) return Fault::signature;
  return fault_of<T, HookNames, Name, Anything, Takes<const Event&>, Takes<Stage>, Takes<>>();
}
template <class T, class Name>
constexpr bool hook_returns() {
  return hook_fault<T, Name>() != Fault::none ||
         fault_of<T, HookNames, Name, NothingOrStatus, Takes<const Event&>, Takes<Stage>, Takes<>>() == Fault::none;
}
#define LEVIN_HOOK_RULES(RULE, member)                                                                     \
  RULE((hook_fault<T, name_##member>() != Fault::hidden),                                                  \
       "the hook '" #member "' is private or protected, so nobody can call it: make it public")            \
  RULE((hook_fault<T, name_##member>() != Fault::several),                                                 \
       "the hook '" #member "' is overloaded or a template, so nobody can call it: declare it once")       \
  RULE((hook_fault<T, name_##member>() != Fault::signature),                                               \
       "the hook '" #member "' takes (const levin::Event&), (levin::Stage) or nothing, and is not static") \
  RULE((hook_returns<T, name_##member>()),                                                                 \
       "the hook '" #member                                                                                \
       "' returns nothing or a levin_status: LEVIN_OK, LEVIN_STOP, LEVIN_SKIP; a bool would be read as one")

#define LEVIN_MISSPELT_NAME(wrong, right) LEVIN_MEMBER_NAME(wrong)
#define LEVIN_INT_WRONG(wrong, right) int wrong;
LEVIN_FOR_EACH_MISSPELT_HOOK(LEVIN_MISSPELT_NAME)
struct MisspeltHooks {
  LEVIN_FOR_EACH_MISSPELT_HOOK(LEVIN_INT_WRONG)
};

template <class T>
constexpr bool declares_hooks() {
#define LEVIN_OR_HOOK(NAME, bit, member) || declares<T, HookNames, name_##member>()
#define LEVIN_OR_WRONG(wrong, right) || declares<T, MisspeltHooks, name_##wrong>()
  return false LEVIN_FOR_EACH_HOOK(LEVIN_OR_HOOK) LEVIN_FOR_EACH_MISSPELT_HOOK(LEVIN_OR_WRONG);
#undef LEVIN_OR_HOOK
#undef LEVIN_OR_WRONG
}

template <class T>
constexpr bool hooks_are_sound() {
#define LEVIN_SOUND_HOOK(NAME, bit, member) LEVIN_HOOK_RULES(LEVIN_HOLDS, member)
#define LEVIN_SOUND_WRONG(wrong, right) LEVIN_MISSPELT_RULE(LEVIN_HOLDS, MisspeltHooks, wrong, HookNames, right)
  return true LEVIN_FOR_EACH_HOOK(LEVIN_SOUND_HOOK) LEVIN_FOR_EACH_MISSPELT_HOOK(LEVIN_SOUND_WRONG);
#undef LEVIN_SOUND_HOOK
#undef LEVIN_SOUND_WRONG
}
template <class T>
constexpr void demand_hooks() {
#define LEVIN_DEMAND_HOOK(NAME, bit, member) LEVIN_HOOK_RULES(LEVIN_DEMAND, member)
#define LEVIN_DEMAND_WRONG(wrong, right) LEVIN_MISSPELT_RULE(LEVIN_DEMAND, MisspeltHooks, wrong, HookNames, right)
  LEVIN_FOR_EACH_HOOK(LEVIN_DEMAND_HOOK) LEVIN_FOR_EACH_MISSPELT_HOOK(LEVIN_DEMAND_WRONG)
#undef LEVIN_DEMAND_HOOK
#undef LEVIN_DEMAND_WRONG
}

// ---- state
// Finds save(levin::Writer) and load(levin::Reader), and not the members of that name that LibTorch's modules have.
struct StateNames {
  int save, load;
};
LEVIN_MEMBER_NAME(save)
LEVIN_MEMBER_NAME(load)
template <class T>
struct has_save : can_call<T, name_save, Takes<Writer>> {};
template <class T>
struct has_load : can_call<T, name_load, Takes<Reader>> {};
#define LEVIN_STATE_RULES(RULE)                                                                               \
  RULE((!has_save<T>::value || has_load<T>::value),                                                           \
       "'save' without 'load': what it keeps would never be read; declare a public void load(levin::Reader)") \
  RULE((!has_load<T>::value || has_save<T>::value),                                                           \
       "'load' without 'save': there would never be anything to read; declare a public void save(levin::Writer)")
// A component that is no LibTorch module has no other save and load.
#define LEVIN_PLAIN_STATE_RULES(RULE)                                                                                 \
  LEVIN_STATE_RULES(RULE)                                                                                             \
  RULE((has_save<T>::value || has_load<T>::value || !declares<T, StateNames, name_save>() ||                          \
        !declares<T, StateNames, name_load>()),                                                                       \
       "'save' and 'load' are not what Levin calls by these names: declare public void save(levin::Writer) and void " \
       "load(levin::Reader)")

// ---- callbacks
LEVIN_DETECT(extension)
#define LEVIN_CALLBACK_RULES(RULE)                                                                             \
  RULE((declares_hooks<T>() || has_extension<T>::value),                                                       \
       "a callback without hooks is never called: declare one of LEVIN_FOR_EACH_CALLBACK_HOOK in levin/abi.h") \
  LEVIN_PLAIN_STATE_RULES(RULE)
template <class T>
constexpr bool callback_is_sound() {
  return hooks_are_sound<T>() LEVIN_CALLBACK_RULES(LEVIN_HOLDS);
}
template <class T>
constexpr void demand_callback() {
  demand_hooks<T>();
  LEVIN_CALLBACK_RULES(LEVIN_DEMAND)
}

// ---- loggers
#define LEVIN_FOR_EACH_LOGGER_MEMBER(X)                                                                      \
  X(begin, Nothing, "void begin(const levin::LoggerBegin&)", Takes<const LoggerBegin&>)                      \
  X(metrics, Nothing, "void metrics(int64_t step, const levin::Metrics&)", Takes<int64_t, const Metrics&>)   \
  X(media, Nothing, "void media(const levin_media&)", Takes<const levin_media&>)                             \
  X(after_save, Nothing, "void after_save(const levin::Saved&) or void after_save(const std::string& path)", \
    Takes<const Saved&>, Takes<const char*>)                                                                 \
  X(flush, Nothing, "void flush()", Takes<>)                                                                 \
  X(finalize, Nothing, "void finalize(const std::string& status)", Takes<const char*>)
// Common names: a data member may have them, too.
#define LEVIN_FOR_EACH_LOGGER_METHOD(X)                                                 \
  X(artifact, Nothing, "void artifact(const levin::Artifact&)", Takes<const Artifact&>) \
  X(hparams, Nothing, "void hparams(const std::string& json)", Takes<const char*>)      \
  X(url, Convertible<std::string>, "std::string url()", Takes<>)
#define LEVIN_FOR_EACH_MISSPELT_LOGGER_MEMBER(X) \
  X(log, metrics)                                \
  X(log_metric, metrics)                         \
  X(log_metrics, metrics)                        \
  X(log_scalar, metrics)                         \
  X(log_scalars, metrics)                        \
  X(add_scalar, metrics)                         \
  X(log_hyperparams, begin)                      \
  X(log_hparams, begin)                          \
  X(log_media, media)                            \
  X(log_image, media)                            \
  X(log_images, media)                           \
  X(add_image, media)                            \
  X(log_video, media)                            \
  X(log_audio, media)                            \
  X(log_table, media)                            \
  X(log_text, media)                             \
  X(log_artifact, artifact)                      \
  X(log_artifacts, artifact)                     \
  X(log_checkpoint, after_save)                  \
  X(after_save_checkpoint, after_save)           \
  X(save_, flush)                                \
  X(close, finalize)                             \
  X(finish, finalize)                            \
  X(finalise, finalize)                          \
  X(on_finalize, finalize)                       \
  X(on_begin, begin)                             \
  X(logMetrics, metrics)                         \
  X(logHyperparams, begin)                       \
  X(logArtifact, artifact)                       \
  X(afterSave, after_save)                       \
  X(end, finalize)
LEVIN_FOR_EACH_LOGGER_MEMBER(LEVIN_DETECT_MEMBER)
LEVIN_FOR_EACH_LOGGER_METHOD(LEVIN_DETECT_MEMBER)
LEVIN_FOR_EACH_MISSPELT_LOGGER_MEMBER(LEVIN_MISSPELT_NAME)
struct LoggerNames {
  LEVIN_FOR_EACH_LOGGER_MEMBER(LEVIN_INT_MEMBER)
  LEVIN_FOR_EACH_LOGGER_METHOD(LEVIN_INT_MEMBER)
};
struct MisspeltLoggerNames {
  LEVIN_FOR_EACH_MISSPELT_LOGGER_MEMBER(LEVIN_INT_WRONG)
};
// The table of a logger has no hooks.
template <class T, class Name>
constexpr bool is_callable_hook() {
  return has_pointer<T, Name>::value && hook_fault<T, Name>() == Fault::none;
}
template <class T>
constexpr bool logger_is_declared() {
#define LEVIN_OR_MEMBER(member, ...) || declares<T, LoggerNames, name_##member>()
#define LEVIN_OR_WRONG(wrong, right) || declares<T, MisspeltLoggerNames, name_##wrong>()
  return false LEVIN_FOR_EACH_LOGGER_MEMBER(LEVIN_OR_MEMBER) LEVIN_FOR_EACH_LOGGER_METHOD(LEVIN_OR_MEMBER)
      LEVIN_FOR_EACH_MISSPELT_LOGGER_MEMBER(LEVIN_OR_WRONG);
#undef LEVIN_OR_MEMBER
#undef LEVIN_OR_WRONG
}
#define LEVIN_LOGGER_RULES(RULE)                                                                                 \
  RULE((logger_is_declared<T>()),                                                                                \
       "a logger without members is never called: declare begin, metrics, media, after_save, flush or finalize") \
  LEVIN_PLAIN_STATE_RULES(RULE)
#define LEVIN_NO_HOOK_RULE(RULE, member)                                                                \
  RULE((!is_callable_hook<T, name_##member>()), "loggers have no hooks, so nobody would call '" #member \
                                                "': use begin, metrics or finalize, or write a callback")
template <class T>
constexpr bool logger_is_sound() {
#define LEVIN_SOUND_MEMBER(member, ...) LEVIN_MEMBER_RULES(LEVIN_HOLDS, LoggerNames, member, __VA_ARGS__)
#define LEVIN_SOUND_WRONG(wrong, right) LEVIN_MISSPELT_RULE(LEVIN_HOLDS, MisspeltLoggerNames, wrong, LoggerNames, right)
#define LEVIN_SOUND_HOOK(NAME, bit, member) LEVIN_NO_HOOK_RULE(LEVIN_HOLDS, member)
#define LEVIN_SOUND_METHOD(member, ...) LEVIN_METHOD_RULE(LEVIN_HOLDS, LoggerNames, member, __VA_ARGS__)
  return true LEVIN_LOGGER_RULES(LEVIN_HOLDS) LEVIN_FOR_EACH_LOGGER_MEMBER(LEVIN_SOUND_MEMBER)
      LEVIN_FOR_EACH_LOGGER_METHOD(LEVIN_SOUND_METHOD) LEVIN_FOR_EACH_MISSPELT_LOGGER_MEMBER(LEVIN_SOUND_WRONG)
          LEVIN_FOR_EACH_HOOK(LEVIN_SOUND_HOOK);
#undef LEVIN_SOUND_MEMBER
#undef LEVIN_SOUND_WRONG
#undef LEVIN_SOUND_HOOK
#undef LEVIN_SOUND_METHOD
}
template <class T>
constexpr void demand_logger() {
#define LEVIN_DEMAND_MEMBER(member, ...) LEVIN_MEMBER_RULES(LEVIN_DEMAND, LoggerNames, member, __VA_ARGS__)
#define LEVIN_DEMAND_WRONG(wrong, right) \
  LEVIN_MISSPELT_RULE(LEVIN_DEMAND, MisspeltLoggerNames, wrong, LoggerNames, right)
#define LEVIN_DEMAND_HOOK(NAME, bit, member) LEVIN_NO_HOOK_RULE(LEVIN_DEMAND, member)
#define LEVIN_DEMAND_METHOD(member, ...) LEVIN_METHOD_RULE(LEVIN_DEMAND, LoggerNames, member, __VA_ARGS__)
  LEVIN_LOGGER_RULES(LEVIN_DEMAND)
  LEVIN_FOR_EACH_LOGGER_MEMBER(LEVIN_DEMAND_MEMBER)
  LEVIN_FOR_EACH_LOGGER_METHOD(LEVIN_DEMAND_METHOD)
  LEVIN_FOR_EACH_MISSPELT_LOGGER_MEMBER(LEVIN_DEMAND_WRONG) LEVIN_FOR_EACH_HOOK(LEVIN_DEMAND_HOOK)
#undef LEVIN_DEMAND_MEMBER
#undef LEVIN_DEMAND_WRONG
#undef LEVIN_DEMAND_HOOK
#undef LEVIN_DEMAND_METHOD
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
