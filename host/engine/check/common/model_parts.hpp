// What a model has.
#pragma once
#include "host/engine/check/common/subject.hpp"

namespace levin::core {

struct ModelParts {
  // Creates the model, which takes long if it is large.
  explicit ModelParts(const Subject& subject);
  bool data = false;                         // it brings its data
  bool steps[LEVIN_STAGE_PREDICT + 1] = {};  // by LEVIN_STAGE_*
};

}  // namespace levin::core
