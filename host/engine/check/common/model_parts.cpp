#include "host/engine/check/common/model_parts.hpp"

#include "core/components/model.hpp"

namespace levin::core {

ModelParts::ModelParts(const Subject& subject) {
  void* self = nullptr;
  const levin_data* table = nullptr;
  const auto model = make_component<Model>(subject.create());
  data = model->overrides().data_module(&self, &table) && self && table;
  for (uint32_t stage = LEVIN_STAGE_FIT; stage <= LEVIN_STAGE_PREDICT; ++stage) steps[stage] = model->has_step(stage);
}

}  // namespace levin::core
