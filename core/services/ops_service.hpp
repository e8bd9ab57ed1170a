// "levin.ops/1": ATen operators by name.
#pragma once
#include "sdk/include/levin/abi.h"

namespace levin::core {

const levin_ops* ops_service();

}  // namespace levin::core
