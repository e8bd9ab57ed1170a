// The networks of this plugin. A new one costs its file and its line here.
#pragma once
#include "network.hpp"

#define LEVIN_NETWORKS(X) \
  X(alexnet)              \
  X(vgg)                  \
  X(inception_v3)         \
  X(mobilenet_v3)         \
  X(efficientnet)         \
  X(vit)                  \
  X(unet)                 \
  X(gpt)                  \
  X(lstm)                 \
  X(tabular)

namespace networks {
#define LEVIN_DECLARE_NETWORK(name) extern const Row name;
LEVIN_NETWORKS(LEVIN_DECLARE_NETWORK)
#undef LEVIN_DECLARE_NETWORK

// Models with a training of their own.
levin_component vae();
levin_component dcgan();
}  // namespace networks
