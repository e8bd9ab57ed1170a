// The torch tier: models, optimizers, and callbacks or data modules that use LibTorch's tensors. Build with
// levin_add_plugin(... TORCH). For layers include LibTorch's <torch/nn.h>, or the headers of it that you need.
#pragma once
#ifndef LEVIN_WITH_TORCH
#error "levin/torch.hpp needs the LEVIN_WITH_TORCH definition: add TORCH to levin_add_plugin"
#endif
#include <torch/types.h>

#include "levin/levin.hpp"
#include "levin/model.hpp"
#include "levin/torch/dist.hpp"
#include "levin/torch/optimizer.hpp"
#include "levin/torch/supervised_task.hpp"
