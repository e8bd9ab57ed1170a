// The rules for the classes of callbacks and loggers (levin/detail/members.hpp) and lists of their members. The rules
// for data modules are in levin/detail/data_rules.hpp, and for models in levin/torch/model_rules.hpp.
#pragma once
#include <string>
#include <vector>

#include "levin/detail/event.hpp"
#include "levin/detail/members.hpp"
#include "levin/detail/misspelt_hooks.hpp"
#include "levin/detail/misspelt_words.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

class Args;
class Object;
struct Artifact;
struct LoggerBegin;
struct Metrics;
struct Saved;

namespace detail {

// ---- hooks
struct NothingOrStatus {
  template <class R>
  static constexpr bool takes = std::is_void_v<R> || std::is_same_v<R, Status>;
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
  RULE(                                                                                                    \
      (hook_returns<T, name_##member>()),                                                                  \
      "the hook '" #member                                                                                 \
      "' returns nothing or a levin::Status: LEVIN_OK, LEVIN_STOP, LEVIN_SKIP; a bool or an int would be read as one")

#define LEVIN_MISSPELT_NAME(wrong, right) LEVIN_MEMBER_NAME(wrong)
#define LEVIN_INT_WRONG(wrong, right) int wrong;
LEVIN_FOR_EACH_MISSPELT_HOOK(LEVIN_MISSPELT_NAME)
struct MisspeltHooks {
  LEVIN_FOR_EACH_MISSPELT_HOOK(LEVIN_INT_WRONG)
};
LEVIN_FOR_EACH_HOOK_SLIP(LEVIN_SLIP_NAME)
struct HookSlips {
  LEVIN_FOR_EACH_HOOK_SLIP(LEVIN_INT_WRONG)
};
template <class B, class = void>
struct has_no_hook_slip : std::false_type {};
template <class B>
struct has_no_hook_slip<B, std::void_t<void LEVIN_FOR_EACH_HOOK_SLIP(LEVIN_AND_POINTER)>> : std::true_type {};
// Returns true if T has no misspelt hook, with a single lookup. Returns false for a final class, whose names must be
// looked up one by one.
template <class T>
constexpr bool is_free_of_hook_slips() {
  if constexpr (std::is_final_v<T>)
    return false;
  else
    return has_no_hook_slip<Beside<T, HookSlips>>::value;
}
template <class T>
constexpr bool hook_slips_are_sound() {
#define LEVIN_SOUND_SLIP(wrong, right) LEVIN_SLIP_RULE(LEVIN_HOLDS, HookSlips, wrong, HookNames, right)
  if constexpr (is_free_of_hook_slips<T>())
    return true;
  else
    return true LEVIN_FOR_EACH_HOOK_SLIP(LEVIN_SOUND_SLIP);
#undef LEVIN_SOUND_SLIP
}
template <class T>
constexpr void demand_hook_slips() {
#define LEVIN_DEMAND_SLIP(wrong, right) LEVIN_SLIP_RULE(LEVIN_DEMAND, HookSlips, wrong, HookNames, right)
  if constexpr (!hook_slips_are_sound<T>()) {
    LEVIN_FOR_EACH_HOOK_SLIP(LEVIN_DEMAND_SLIP)
  }
#undef LEVIN_DEMAND_SLIP
}

template <class T>
constexpr bool declares_hooks() {
#define LEVIN_OR_HOOK(NAME, bit, member) || declares<T, HookNames, name_##member>()
#define LEVIN_OR_WRONG(wrong, right) || declares<T, MisspeltHooks, name_##wrong>()
  return !hook_slips_are_sound<T>() LEVIN_FOR_EACH_HOOK(LEVIN_OR_HOOK) LEVIN_FOR_EACH_MISSPELT_HOOK(LEVIN_OR_WRONG);
#undef LEVIN_OR_HOOK
#undef LEVIN_OR_WRONG
}

template <class T>
constexpr bool hooks_are_sound() {
#define LEVIN_SOUND_HOOK(NAME, bit, member) LEVIN_HOOK_RULES(LEVIN_HOLDS, member)
#define LEVIN_SOUND_WRONG(wrong, right) LEVIN_MISSPELT_RULE(LEVIN_HOLDS, MisspeltHooks, wrong, HookNames, right)
  return hook_slips_are_sound<T>() LEVIN_FOR_EACH_HOOK(LEVIN_SOUND_HOOK)
      LEVIN_FOR_EACH_MISSPELT_HOOK(LEVIN_SOUND_WRONG);
#undef LEVIN_SOUND_HOOK
#undef LEVIN_SOUND_WRONG
}
template <class T>
constexpr void demand_hooks() {
  demand_hook_slips<T>();
#define LEVIN_DEMAND_HOOK(NAME, bit, member) LEVIN_HOOK_RULES(LEVIN_DEMAND, member)
#define LEVIN_DEMAND_WRONG(wrong, right) LEVIN_MISSPELT_RULE(LEVIN_DEMAND, MisspeltHooks, wrong, HookNames, right)
  LEVIN_FOR_EACH_HOOK(LEVIN_DEMAND_HOOK) LEVIN_FOR_EACH_MISSPELT_HOOK(LEVIN_DEMAND_WRONG)
#undef LEVIN_DEMAND_HOOK
#undef LEVIN_DEMAND_WRONG
}

// ---- state
// Finds save(levin::Writer) and load(levin::Reader), but not the members of that name of LibTorch's modules.
struct StateNames {
  int save, load;
};
LEVIN_MEMBER_NAME(save)
LEVIN_MEMBER_NAME(load)
template <class T>
struct has_save : can_call<T, name_save, Takes<Writer>> {};
template <class T>
struct has_load : can_call<T, name_load, Takes<Reader>> {};
// The class that declares a member; it may be a base class.
template <class F>
struct ClassOf {
  using type = Object;  // a static member
};
template <class C, class F>
struct ClassOf<F C::*> {
  using type = C;
};
// Returns true if T has a member of that name that it did not inherit from a module of LibTorch.
template <class T, class Name>
constexpr bool has_own() {
  if constexpr (!declares<T, StateNames, Name>())
    return false;
  else if constexpr (has_pointer<T, Name>::value)
    return std::is_base_of_v<Object, typename ClassOf<typename Name::template pointer<T>>::type>;
  else
    return true;  // overloaded or private; the modules' members are neither
}
#define LEVIN_STATE_RULES(RULE)                                                                                   \
  RULE((!has_save<T>::value || has_load<T>::value || has_own<T, name_load>()),                                    \
       "'save' without 'load': what it keeps would never be read; declare a public void load(levin::Reader)")     \
  RULE((!has_load<T>::value || has_save<T>::value || has_own<T, name_save>()),                                    \
       "'load' without 'save': there would never be anything to read; declare a public void save(levin::Writer)") \
  RULE((!has_save<T>::value || has_load<T>::value || !has_own<T, name_load>()),                                   \
       "'load' is not what Levin calls by that name: declare it as public void load(levin::Reader)")              \
  RULE((!has_load<T>::value || has_save<T>::value || !has_own<T, name_save>()),                                   \
       "'save' is not what Levin calls by that name: declare it as public void save(levin::Writer)")
// Rules for components that are not LibTorch modules and therefore have no other save and load.
#define LEVIN_PLAIN_STATE_RULES(RULE)                                                                                 \
  LEVIN_STATE_RULES(RULE)                                                                                             \
  RULE((has_save<T>::value || has_load<T>::value || !declares<T, StateNames, name_save>() ||                          \
        !declares<T, StateNames, name_load>()),                                                                       \
       "'save' and 'load' are not what Levin calls by these names: declare public void save(levin::Writer) and void " \
       "load(levin::Reader)")

// ---- all kinds of components
LEVIN_DETECT(extension)
LEVIN_DETECT(options)
LEVIN_DETECT(option_table)
struct OptionNames {
  int options;
};
// True for an array or std::array of options. The size of a std::vector or a pointer is not known at compile time.
template <class A>
constexpr bool holds_options() {
  using Item = std::remove_const_t<std::remove_extent_t<A>>;
  if constexpr (std::is_array_v<A>) return std::is_same_v<Item, levin_option>;
  if constexpr (std::is_class_v<A> && !std::is_array_v<A>)
    if constexpr (sizeof(A) % sizeof(levin_option) == 0)
      return std::is_convertible_v<decltype(std::declval<A&>()[0]), const levin_option&>;
  return false;
}
// True if T::options is such an array, and static.
template <class T, class = void>
struct has_option_array : std::false_type {};
template <class T>
struct has_option_array<T, std::enable_if_t<!std::is_member_pointer_v<name_options::pointer<T>>>>
    : std::bool_constant<holds_options<std::remove_pointer_t<name_options::pointer<T>>>()> {};

// The constants that Levin reads from a class: X(name, type, declaration).
#define LEVIN_FOR_EACH_CONSTANT(X)                                       \
  X(flags, uint64_t, "uint64_t flags = ...")                             \
  X(concurrent, bool, "bool concurrent = true")                          \
  X(state_before_setup, bool, "bool state_before_setup = true")          \
  X(off_thread, bool, "bool off_thread = true")                          \
  X(automatic_optimization, bool, "bool automatic_optimization = false") \
  X(defaults, const char*, "const char* defaults = ...")                 \
  X(state_since, const char*, "const char* state_since = ...")           \
  X(aliases, const char* const*, "const char* aliases[] = {..., nullptr}")
#define LEVIN_DETECT_CONSTANT(member, type, declaration) LEVIN_DETECT(member)
LEVIN_FOR_EACH_CONSTANT(LEVIN_DETECT_CONSTANT)
LEVIN_DETECT(claims)
// Returns true for a private member, which may be something else.
template <class T, class Name, class Type>
constexpr bool is_constant() {
  if constexpr (has_pointer<T, Name>::value) {
    using F = typename Name::template pointer<T>;
    if constexpr (std::is_pointer_v<F> && !std::is_function_v<std::remove_pointer_t<F>>)
      return std::is_convertible_v<std::remove_pointer_t<F>&, Type>;
    return false;
  }
  return true;
}
#define LEVIN_CONSTANT_RULE(RULE, member, type, declaration)                                             \
  RULE((is_constant<T, name_##member, type>()),                                                          \
       "'" #member "' is not what Levin reads by that name: declare it as static constexpr " declaration \
       ", or give it another name")
#define LEVIN_COMPONENT_RULES(RULE)                                                                             \
  RULE((!std::is_abstract_v<T>),                                                                                \
       "the class is abstract, so nobody can make one: override the pure virtual functions of its bases")       \
  RULE((!declares<T, OptionNames, name_options>() || has_option_array<T>::value || has_option_table<T>::value), \
       "'options' is not what Levin reads by that name: declare it as public static constexpr levin_option "    \
       "options[] = {...}")
template <class T>
constexpr bool component_is_sound() {
#define LEVIN_SOUND_CONSTANT(member, type, declaration) LEVIN_CONSTANT_RULE(LEVIN_HOLDS, member, type, declaration)
  return true LEVIN_COMPONENT_RULES(LEVIN_HOLDS) LEVIN_FOR_EACH_CONSTANT(LEVIN_SOUND_CONSTANT);
#undef LEVIN_SOUND_CONSTANT
}
template <class T>
constexpr void demand_component() {
#define LEVIN_DEMAND_CONSTANT(member, type, declaration) LEVIN_CONSTANT_RULE(LEVIN_DEMAND, member, type, declaration)
  LEVIN_COMPONENT_RULES(LEVIN_DEMAND)
  LEVIN_FOR_EACH_CONSTANT(LEVIN_DEMAND_CONSTANT)
#undef LEVIN_DEMAND_CONSTANT
}

// ---- callbacks
#define LEVIN_CALLBACK_RULES(RULE)                                                                             \
  RULE((declares_hooks<T>() || has_extension<T>::value),                                                       \
       "a callback without hooks is never called: declare one of LEVIN_FOR_EACH_CALLBACK_HOOK in levin/abi.h") \
  LEVIN_PLAIN_STATE_RULES(RULE)
template <class T>
constexpr bool callback_is_sound() {
  return component_is_sound<T>() && hooks_are_sound<T>() LEVIN_CALLBACK_RULES(LEVIN_HOLDS);
}
template <class T>
constexpr void demand_callback() {
  demand_component<T>();
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
// Common names, which a data member may have, too.
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
  X(finalized, finalize)                         \
  X(finalze, finalize)                           \
  X(artefact, artifact)                          \
  X(artifacts, artifact)                         \
  X(on_metrics, metrics)                         \
  X(after_saved, after_save)                     \
  X(aftersave, after_save)                       \
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
// Loggers have no hooks.
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
  return component_is_sound<T>() LEVIN_LOGGER_RULES(LEVIN_HOLDS) LEVIN_FOR_EACH_LOGGER_MEMBER(LEVIN_SOUND_MEMBER)
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
  demand_component<T>();
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
