// Callbacks: derive from levin::Callback and declare the hooks you want; the others cost nothing.
// LEVIN_FOR_EACH_CALLBACK_HOOK in levin/abi.h lists them, and docs/hooks.md says when each is called.
//
//   struct Hello : levin::Callback {
//     void on_fit_start(const levin::Event& event) { event.run().print("hello"); }
//   };
//   LEVIN_PLUGIN("org.me.hello", "1.0.0", "MIT", levin::callback<Hello>("hello", "Says hello"))
//
// A hook takes (const levin::Event&) or nothing; it returns nothing or a levin::Status (LEVIN_STOP, LEVIN_SKIP,
// LEVIN_SKIP_EPOCH). All hooks of a run are called on one thread. `void save(levin::Writer)` and
// `void load(levin::Reader)` keep state in checkpoints.
#pragma once
#include "levin/detail/object.hpp"
#include "levin/detail/plugin.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

class Callback : public Object {
 protected:
  // Returns true if this process is rank 0, which prints and writes files.
  bool is_first_process(const Run& run) const { return !services().dist || services().dist->rank(run.raw()) == 0; }
};

namespace detail {
template <class H>
const levin_object* callback_table() {
  static const levin_callback table = [] {
    levin_callback t{};
    t.o = object_table<H>();
    t.o.size = sizeof t;
    t.on = &on_event<H>;
    return t;
  }();
  return &table.o;
}
}  // namespace detail

// H: how the instance is held.
template <class T, class H = detail::Holder<T, detail::NoExtra>>
levin_component callback(const char* id, const char* summary) {
  levin_component c{};
  if constexpr (!std::is_base_of_v<Callback, T>) {
    static_assert(std::is_base_of_v<Callback, T>, "a callback derives from levin::Callback");
  } else if constexpr (!detail::is_publicly<T, Callback>) {
    LEVIN_DEMAND_PUBLIC(T, Callback, "levin::Callback");
  } else if constexpr (detail::callback_is_sound<T>()) {
    c = detail::component_of<T>(LEVIN_KIND_CALLBACK, id, summary);
    c.create = &detail::create<H, &detail::callback_table<H>>;
  } else {
    detail::demand_callback<T>();
  }
  return c;
}

}  // namespace levin
#pragma GCC visibility pop
