#include "task.hpp"

LEVIN_PLUGIN("levin.torchscript", "0.1.0", "Apache-2.0",
             levin::model<torchscript::Task>("torchscript", "A network from a TorchScript file, written in Python"))
