// The common base of components: host, name, creation and the head of the table.
#pragma once
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "levin/detail/event.hpp"
#include "levin/detail/rules.hpp"
#include "levin/options.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Data for the constructor of a component, set by create() during the constructor.
struct Creating {
  const levin_host* host = nullptr;
  const levin_create* in = nullptr;
};
inline Creating& creating() {
  static thread_local Creating current;
  return current;
}
struct Loan;  // levin/trainer/loan.hpp

}  // namespace detail

// The base of all components. The host creates an instance for one run and destroys it after that run. It never calls
// an instance on two threads at once, except fill of a data module.
class Object {
 public:
  Object()
      : services_(detail::creating().host),
        name_(detail::creating().in && detail::creating().in->name ? detail::creating().in->name : "") {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  const levin_host* host() const { return services_.host; }
  const std::string& name() const { return name_; }  // the name of the instance, given by the user
  // Print a line for the user; callable on any thread. Debug lines are shown with --verbose.
  void debug(const std::string& text) const { print(LEVIN_LOG_DEBUG, text); }
  void info(const std::string& text) const { print(LEVIN_LOG_INFO, text); }
  void warn(const std::string& text) const { print(LEVIN_LOG_WARNING, text); }
  const detail::Services& services() const { return services_; }

 private:
  friend struct detail::Loan;
  void print(int32_t level, const std::string& text) const {
    if (host()) host()->log(host(), level, text.c_str());
  }
  detail::Services services_;
  std::string name_;
};

namespace detail {

template <class T, class F, class... A>
levin_status status_of(T& object, F member, const A&... arguments) {
  if constexpr (std::is_void_v<std::invoke_result_t<F, T&, const A&...>>) {
    (object.*member)(arguments...);
    return LEVIN_OK;
  } else {
    return (object.*member)(arguments...);
  }
}

// A hook may take the event, its stage or nothing, and return nothing or a Status.
template <class T, class F>
levin_status call_hook(T& object, F hook, const Event& event) {
  if constexpr (std::is_invocable_v<F, T&, const Event&>)
    return status_of(object, hook, event);
  else if constexpr (std::is_invocable_v<F, T&, Stage>)
    return status_of(object, hook, event.stage());
  else
    return status_of(object, hook);
}

// Calls the hook of T that belongs to the event. Does nothing if T has no such member.
template <class T>
levin_status dispatch(T& object, const Services& services, const levin_event* raw) {
  [[maybe_unused]] const Event event(&services, raw);
  switch (raw->hook) {
#define LEVIN_CALL_HOOK(NAME, bit, member)                                                           \
  case LEVIN_HOOK_##NAME:                                                                            \
    if constexpr (is_callable_hook<T, name_##member>()) return call_hook(object, &T::member, event); \
    break;
    LEVIN_FOR_EACH_HOOK(LEVIN_CALL_HOOK)
#undef LEVIN_CALL_HOOK
    default:
      break;
  }
  return LEVIN_OK;
}

template <class T>
constexpr uint64_t hook_mask(uint32_t word) {
  uint64_t mask = 0;
#define LEVIN_HOOK_MASK(NAME, bit, member) \
  if (bit / 64 == word && is_callable_hook<T, name_##member>()) mask |= LEVIN_BIT(bit);
  LEVIN_FOR_EACH_HOOK(LEVIN_HOOK_MASK)
#undef LEVIN_HOOK_MASK
  return mask;
}

struct NoExtra {};

// The object behind a table's `self`: the instance and data of the table's functions (Extra).
template <class T, class Extra>
struct Holder {
  T object;
  Extra extra{};
  template <class... A>
  explicit Holder(A&&... a) : object(std::forward<A>(a)...) {}
  static Holder& of(void* self) { return *static_cast<Holder*>(self); }
};
// The class of the instance behind a table whose functions are made for the holder H.
template <class H>
using Held = std::remove_reference_t<decltype(H::object)>;

// Calls body with the instance behind `self`. body returns nothing or a levin_status; an exception is passed to
// host->fail.
template <class H, class F>
levin_status with_object(void* self, F&& body) noexcept {
  auto& object = H::of(self).object;
  return guard(object.host(), [&] { return body(object); });
}

// The function `on` of all tables.
template <class H>
levin_status on_event(void* self, const levin_event* event) noexcept {
  return with_object<H>(self, [event](auto& object) { return dispatch(object, object.services(), event); });
}

template <class H>
levin_object object_table() {
  using T = Held<H>;
  levin_object table{};
  table.destroy = [](void* self) { delete static_cast<H*>(self); };
  if constexpr (has_save<T>::value)
    table.save = [](void* self, const levin_writer* writer) noexcept {
      return with_object<H>(self, [&](T& object) { object.save(Writer(writer)); });
    };
  if constexpr (has_load<T>::value)
    table.load = [](void* self, const levin_reader* reader) noexcept {
      return with_object<H>(self, [&](T& object) { object.load(Reader(reader)); });
    };
  if constexpr (has_extension<T>::value)
    table.extension = [](void* self, const char* id) noexcept -> const void* {
      try {
        return H::of(self).object.extension(id);
      } catch (...) {
        return nullptr;
      }
    };
  return table;
}

// Wrong names of the array `options`.
#define LEVIN_FOR_EACH_MISSPELT_OPTIONS(X) X(Options) X(OPTIONS) X(option) X(opts) X(kOptions) X(options_)
LEVIN_FOR_EACH_MISSPELT_OPTIONS(LEVIN_MEMBER_NAME)
template <class T, class Name>
constexpr bool is_option_array() {
  if constexpr (has_pointer<T, Name>::value) {
    using Pointed = std::remove_pointer_t<typename Name::template pointer<T>>;
    return std::is_array_v<Pointed> && std::is_same_v<std::remove_cv_t<std::remove_extent_t<Pointed>>, levin_option>;
  }
  return false;
}
#define LEVIN_DEMAND_OPTIONS(wrong)                                                \
  static_assert(has_option_array<T>::value || !is_option_array<T, name_##wrong>(), \
                "Levin never reads '" #wrong "': did you mean 'options'? Otherwise give it another name");

template <class T>
std::pair<const levin_option*, uint32_t> options_of() {
  if constexpr (has_option_table<T>::value)
    return T::option_table();
  else if constexpr (has_option_array<T>::value)
    return {&T::options[0], static_cast<uint32_t>(sizeof(T::options) / sizeof(levin_option))};
  else
    return {nullptr, 0};
}

template <class H>
H* construct(const levin_create* in) {
  using T = Held<H>;
  if constexpr (std::is_reference_v<decltype(H::object)>) {  // an object that exists already
    return new H(in);
  } else if constexpr (std::is_constructible_v<T, const Args&>) {
    const auto [options, n] = options_of<T>();
    return new H(Args(in->args, options, n));
  } else if constexpr (std::is_default_constructible_v<T>) {
    (void)in;
    return new H();
  } else {
    static_assert(std::is_default_constructible_v<T>,
                  "a component is made from (const levin::Args&) or from nothing: declare such a public constructor");
    return nullptr;
  }
}

// levin_component.create for a holder and its table.
template <class H, const levin_object* (*Table)()>
levin_status create(const levin_host* host, const levin_create* in, void** self, const levin_object** table) noexcept {
  return guard(host, [&] {
    creating() = {host, in};
    std::unique_ptr<H> holder;
    try {
      holder.reset(construct<H>(in));
    } catch (...) {
      creating() = {};
      throw;
    }
    creating() = {};
    *table = Table();
    *self = holder.release();
  });
}

// Returns the description of a component of class T. The caller sets `create`.
template <class T>
levin_component component_of(uint32_t kind, const char* id, const char* summary) {
  LEVIN_FOR_EACH_MISSPELT_OPTIONS(LEVIN_DEMAND_OPTIONS)
  levin_component c{};
  c.size = sizeof c;
  c.kind = kind;
  c.id = id;
  c.summary = summary;
  std::tie(c.options, c.n_options) = options_of<T>();
  c.option_size = sizeof(levin_option);
  c.claim_size = sizeof(levin_flag);
  c.hooks[0] = hook_mask<T>(0);
  c.hooks[1] = hook_mask<T>(1);
  if constexpr (has_flags<T>::value) c.flags = T::flags;
  if constexpr (has_aliases<T>::value) c.aliases = T::aliases;
  if constexpr (has_defaults<T>::value) c.defaults = T::defaults;
  if constexpr (has_state_since<T>::value) c.state_since = T::state_since;
  if constexpr (has_claims<T>::value) {
    c.claims = &T::claims[0];
    c.n_claims = static_cast<uint32_t>(sizeof(T::claims) / sizeof(levin_flag));
  }
  return c;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
