#include <levin/torch.hpp>
#include "network.hpp"
struct Net : YourNetwork {
  explicit Net(const levin::DataInfo& d) : YourNetwork(d.input().shape.at(0), d.classes()) {}
};
LEVIN_PLUGIN("com.example.net", "1.0.0", "MIT", levin::classifier<Net>("your_network", "Has nothing but forward"))
