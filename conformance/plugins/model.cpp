// The plugin with the scripted components.
#include "conformance/plugins/recorded.hpp"

namespace scripted {
namespace {

constexpr int no_optimizers = 2;
constexpr uint32_t seldom[] = {LEVIN_HOOK_EXCEPTION,
                               LEVIN_HOOK_SANITY_CHECK_START,
                               LEVIN_HOOK_SANITY_CHECK_END,
                               LEVIN_HOOK_VALIDATION_MODEL_TRAIN,
                               LEVIN_HOOK_TEST_MODEL_TRAIN,
                               LEVIN_HOOK_EPOCH_START,
                               LEVIN_HOOK_EPOCH_END,
                               LEVIN_HOOK_PRETRAIN_ROUTINE_START,
                               LEVIN_HOOK_PRETRAIN_ROUTINE_END,
                               LEVIN_HOOK_BATCH_START,
                               LEVIN_HOOK_BATCH_END};

// ScalarModel with additional hyper-parameter options.
struct WithHparams : Scalar {
  static constexpr levin_option options[] = {script_option, levin::number("lr", "0.1", "a hyper-parameter"),
                                             levin::integer("hidden", "8", "another")};
  double lr;
  explicit WithHparams(const levin::Args& o) : Scalar(o), lr(o.number("lr")) {}
  void configure_optimizers(levin::OptimPlan& plan) {
    script.enter(place("configure_optimizers", -1, -1, nullptr), json::array());
    plan.optimizer("sgd", {{"lr", lr}});
  }
};

// Returns a model component of class M. kept: those of the hooks in `seldom` that count as overridden.
template <class M, int variant>
levin_component component(const char* id, std::initializer_list<uint32_t> kept, bool brings_data) {
  using Held = levin::detail::Holder<M, levin::detail::ModelExtra>;
  static levin_model table = levin::detail::make_model_table<Held>();
  if (brings_data)
    table.data_module = [](void* self, void** data, const levin_data** out) -> levin_status {
      M& model = Held::of(self).object;
      return levin::detail::guard(model.host(), [&] {
        *data = model.own_data();
        *out = items_table();
      });
    };
  table.steps = [](void* self) -> uint32_t {
    const M& model = Held::of(self).object;
    return model.without(levin::detail::steps_of<M>());
  };
  if (variant == no_optimizers) table.configure_optimizers = nullptr;
  levin_component c = levin::model<M>(id, "Scalar model that does what its script says");
  c.flags &= ~uint64_t{LEVIN_F_OPTIMIZER_IDX};  // Lightning's ScalarModel takes batch and batch_idx
  for (uint32_t hook : seldom) {
    bool keep = false;
    for (uint32_t k : kept) keep = keep || k == hook;
    if (!keep) c.hooks[hook / 64] &= ~LEVIN_BIT(hook);
  }
  c.create = [](const levin_host* host, const levin_create* in, void** self,
                const levin_object** object) -> levin_status {
    const levin_status status = levin::detail::create<Held, &levin::detail::model_table<Held>>(host, in, self, object);
    *object = &table.o;
    return status;
  };
  return c;
}

}  // namespace
}  // namespace scripted

using namespace scripted;

LEVIN_PLUGIN("levin.conformance", "1.0.0", "Apache-2.0", component<Scalar, 0>("scalar", {}, true),
             component<Recorded, 0>("recorded", {}, true),
             component<Recorded, 0>("recorded_validation", {LEVIN_HOOK_VALIDATION_MODEL_TRAIN}, true),
             component<Recorded, 0>("recorded_test", {LEVIN_HOOK_TEST_MODEL_TRAIN}, true),
             component<Recorded, 0>("recorded_validation_test",
                                    {LEVIN_HOOK_VALIDATION_MODEL_TRAIN, LEVIN_HOOK_TEST_MODEL_TRAIN}, true),
             component<Manual, 0>("manual", {}, true),
             component<Manual, 0>("manual_validation", {LEVIN_HOOK_VALIDATION_MODEL_TRAIN}, true),
             component<Manual, 0>("manual_test", {LEVIN_HOOK_TEST_MODEL_TRAIN}, true),
             component<Manual, 0>("manual_validation_test",
                                  {LEVIN_HOOK_VALIDATION_MODEL_TRAIN, LEVIN_HOOK_TEST_MODEL_TRAIN}, true),
             component<WithHparams, 0>("scalar_with_hparams", {}, true),
             component<Scalar, no_optimizers>("scalar_no_optimizers", {}, true), items_component(),
             callback_component(), logger_component())
