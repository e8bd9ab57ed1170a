// The C table of a model class, and the fields of its component.
#pragma once
#include "levin/torch/model_forward.hpp"
#include "levin/torch/model_modules.hpp"
#include "levin/torch/model_overrides.hpp"
#include "levin/torch/model_step.hpp"
#include "levin/torch/model_tree.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Finds a member levin::OwnData own_data, but not a function of that name.
template <class T, class = void>
struct has_own_data : std::false_type {};
template <class T>
struct has_own_data<T, std::enable_if_t<std::is_member_object_pointer_v<decltype(&T::own_data)>>> : std::true_type {};

// State and hooks of a model are the members of its network.
template <class H>
levin_object make_model_object() {
  using Net = Network<Held<H>>;
  levin_object table = object_table<H>();
  table.extension = &model_extension<H>;
  if constexpr (has_save<Net>::value)
    table.save = [](void* self, const levin_writer* writer) noexcept {
      return with_object<H>(self, [&](auto& object) { network_of(object).save(Writer(writer)); });
    };
  if constexpr (has_load<Net>::value)
    table.load = [](void* self, const levin_reader* reader) noexcept {
      return with_object<H>(self, [&](auto& object) { network_of(object).load(Reader(reader)); });
    };
  return table;
}

template <class H>
levin_model make_model_table() {
  using T = Held<H>;
  levin_model t{};
  t.o = make_model_object<H>();
  t.o.size = sizeof t;
  t.visit = &visit_model<H>;
  t.mode = &mode_model<H>;
  t.move = &move_model<H>;
  t.step = &step_model<H>;
  t.steps = [](void*) -> uint32_t { return steps_of<T>(); };
  t.on = [](void* self, const levin_event* event) noexcept {
    return with_object<H>(self, [event](auto& object) {
      object.set_run(event->run);
      return dispatch(network_of(object), object.services(), event);
    });
  };
  if constexpr (model_has<T, name_configure_optimizers>)
    t.configure_optimizers = [](void* self, const levin_optim_plan* plan) noexcept {
      return with_object<H>(self, [plan](auto& object) {
        object.set_run(plan->run);
        OptimPlan wrapper(&object.services(), plan);
        part_with<name_configure_optimizers>(object).configure_optimizers(wrapper);
      });
    };
  if constexpr (has_forward<Network<T>>()) t.forward = &forward_model<H>;
  if constexpr (has_own_data<Network<T>>::value)
    t.data_module = [](void* self, void** data, const levin_data** table) noexcept -> levin_status {
      auto& own = network_of(H::of(self).object).own_data;
      *data = own.self();
      *table = own.table();
      return LEVIN_OK;
    };
  set_overrides<H>(t);
  return t;
}

// The static members of a class that are called before an instance exists.
template <class T>
void set_preparations(levin_component& c) {
  using Net = Network<T>;
  if constexpr (has_prepare_data<Net>::value)
    c.prepare_data = [](const levin_host* host, const levin_args* args) noexcept -> levin_status {
      return guard(host, [&] {
        const auto [options, n] = options_of<T>();
        Net::prepare_data(Args(args, options, n));
      });
    };
  if constexpr (has_configure_callbacks<Net>::value)
    c.configure_callbacks = [](const levin_host* host, const levin_args* args,
                               const levin_callback_list* list) noexcept -> levin_status {
      return guard(host, [&] {
        const auto [options, n] = options_of<T>();
        Net::configure_callbacks(Args(args, options, n), CallbackList(list));
      });
    };
}

// Adds the flags and hooks of the model's own data to the component. Hooks that would switch off a default of the
// trainer are masked out, because a hook that only the data has does nothing in the model.
template <class T>
void add_own_data([[maybe_unused]] levin_component& c) {
  if constexpr (has_own_data<Network<T>>::value) {
    using D = typename decltype(Network<T>::own_data)::Data;
    if constexpr (!data_is_sound<D>()) demand_data<D>();
    constexpr uint64_t models_only = LEVIN_BIT(LEVIN_HOOK_EPOCH_START) - LEVIN_BIT(LEVIN_HOOK_CONFIGURE_MODEL);
    if constexpr (has_concurrent<D>::value) c.flags |= D::concurrent ? LEVIN_F_CONCURRENT : 0u;
    c.hooks[0] |= hook_mask<D>(0);
    c.hooks[1] |= hook_mask<D>(1) & ~models_only;
  }
}

template <class H>
const levin_object* model_table() {
  static const levin_model table = make_model_table<H>();
  return &table.o;
}

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
