// The portable tier: callbacks, loggers and data modules, without LibTorch.
#pragma once
#include "levin/callback.hpp"
#include "levin/data_module.hpp"
#include "levin/logger.hpp"
