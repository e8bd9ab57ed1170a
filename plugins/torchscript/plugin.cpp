#include "levin/torch.hpp"
#include "network.hpp"

namespace torchscript {

struct Task : levin::NetworkTask<Network> {
  explicit Task(const levin::Args& args) : NetworkTask(args) {
    for (const std::string& warning : module().warnings()) warn(warning);
  }
};

}  // namespace torchscript

LEVIN_PLUGIN("levin.torchscript", "0.1.0", "Apache-2.0",
             levin::model<torchscript::Task>("torchscript", "A network from a TorchScript file, written in Python"))
