#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "plugins/torchscript/network.hpp"
#include "tests/temp_folder.hpp"

using torchscript::Network;
using torchscript::read_script;

namespace {

torch::jit::Module part(const std::string& name) { return torch::jit::Module(name); }

// A layer, a batch norm by hand with a buffer, and dropout that follows the mode.
torch::jit::Module network() {
  torch::jit::Module layer = part("Layer");
  layer.register_parameter("weight", (torch::eye(3) * 2).requires_grad_(), false);
  layer.register_attribute("training", c10::BoolType::get(), true);
  layer.define("def forward(self, x):\n  return torch.dropout(x, 0.5, self.training) @ self.weight\n");
  torch::jit::Module net = part("Net");
  net.register_parameter("bias", torch::ones({3}).requires_grad_(), false);
  net.register_buffer("calls", torch::zeros({}, torch::kLong));
  net.register_attribute("training", c10::BoolType::get(), true);
  net.register_module("layer", layer);
  net.define(
      "def forward(self, x):\n"
      "  if self.training:\n"
      "    self.calls.add_(1)\n"
      "  return self.layer.forward(x) + self.bias\n");
  return net;
}

std::string saved(const TempFolder& folder, const torch::jit::Module& module) {
  const std::string file = folder.file("network.pt");
  module.save(file);
  return file;
}

std::string refusal(const std::string& file) {
  try {
    read_script(file);
  } catch (const levin::Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a network from a file has the tensors of the file under their names") {
  const TempFolder folder;
  const Network net(read_script(saved(folder, network())));
  std::vector<std::string> names;
  for (const auto& parameter : net.named_parameters()) names.push_back(parameter.key());
  CHECK(names == std::vector<std::string>{"bias", "layer.weight"});
  CHECK(net.named_buffers().size() == 1);
  CHECK(net.named_buffers().contains("calls"));
  CHECK(net.named_parameters()["layer.weight"].requires_grad());
}

TEST_CASE("changed parameters, types and modes are those of the network that forward runs") {
  const TempFolder folder;
  Network net(read_script(saved(folder, network())));
  const torch::Tensor x = torch::ones({2, 3});
  net.eval();
  CHECK(torch::equal(net.forward(x), torch::full({2, 3}, 3.0)));
  CHECK(net.named_buffers()["calls"].item<int64_t>() == 0);
  {
    const torch::NoGradGuard no_grad;
    net.named_parameters()["bias"].fill_(10);
  }
  CHECK(torch::equal(net.forward(x), torch::full({2, 3}, 12.0)));
  net.train();
  const torch::Tensor y = net.forward(x);
  CHECK(net.named_buffers()["calls"].item<int64_t>() == 1);
  CHECK((y.eq(14) | y.eq(10)).all().item<bool>());  // dropout: twice the value, or none
  net.to(torch::kDouble);
  CHECK(net.forward(x.to(torch::kDouble)).scalar_type() == torch::kDouble);
  y.sum().backward();
  CHECK(torch::equal(net.named_parameters()["bias"].grad(), torch::full({3}, 2.0)));
}

TEST_CASE("the mode of each part is its own") {
  const TempFolder folder;
  Network net(read_script(saved(folder, network())));
  net.named_children()["layer"]->eval();
  CHECK(torch::equal(net.forward(torch::ones({1, 3})), torch::full({1, 3}, 3.0)));  // no dropout
  CHECK(net.named_buffers()["calls"].item<int64_t>() == 1);
}

TEST_CASE("a failure inside the network is reported with its cause and the input") {
  const TempFolder folder;
  Network net(read_script(saved(folder, network())));
  CHECK_THROWS_WITH(net.forward(torch::ones({2, 5})),
                    ContainsSubstring("failed for an input [2, 5]: mat1 and mat2 shapes cannot be multiplied"));
}

TEST_CASE("a network of another type than its input names the precision to give") {
  const TempFolder folder;
  torch::jit::Module net = part("Net");
  net.register_parameter("w", torch::ones({3, 2}, torch::kDouble).requires_grad_(), false);
  net.define("def forward(self, x):\n  return x @ self.w\n");
  CHECK_THROWS_WITH(Network(read_script(saved(folder, net))).forward(torch::ones({2, 3})),
                    ContainsSubstring("the network has numbers of the type Double, and its input is Float: "
                                      "--trainer.precision 64-true"));
}

TEST_CASE("an exception that the network raises is reported with its words") {
  const TempFolder folder;
  torch::jit::Module net = part("Net");
  net.register_parameter("w", torch::ones({3, 2}).requires_grad_(), false);
  net.define("def forward(self, x):\n  assert x.size(0) == 1, \"one row at a time\"\n  return x @ self.w\n");
  CHECK_THROWS_WITH(Network(read_script(saved(folder, net))).forward(torch::ones({2, 3})),
                    ContainsSubstring("failed for an input [2, 3]: ") && ContainsSubstring("one row at a time") &&
                        !ContainsSubstring("Traceback"));
}

TEST_CASE("forward may call its module as it likes, and has to return a tensor") {
  const TempFolder folder;
  torch::jit::Module net = part("Net");
  net.register_parameter("w", torch::ones({3, 2}).requires_grad_(), false);
  net.define("def forward(s, x):\n  return x @ s.w\n");
  CHECK(Network(read_script(saved(folder, net))).forward(torch::ones({2, 3})).size(1) == 2);
  torch::jit::Module empty = part("Empty");
  empty.register_parameter("w", torch::ones({3, 2}).requires_grad_(), false);
  empty.define("def forward(self, x):\n  y : List[Tensor] = []\n  return y\n");
  CHECK_THROWS_WITH(Network(read_script(saved(folder, empty))).forward(torch::ones({2, 3})),
                    ContainsSubstring("returned an empty list"));
}

TEST_CASE("the first tensor of a tuple, list or dictionary is the prediction") {
  const TempFolder folder;
  const std::string body = GENERATE("(x + self.w, x)", "[x + self.w, x]", "((x + self.w, x), x)",
                                    "{\"aux\": x, \"out\": x + self.w}", "{\"scores\": x + self.w}");
  torch::jit::Module net = part("Net");
  net.register_parameter("w", torch::ones({}), false);
  net.define("def forward(self, x):\n  return " + body + "\n");
  CHECK(torch::equal(Network(read_script(saved(folder, net))).forward(torch::ones({2})), torch::full({2}, 2.0)));
}

TEST_CASE("what cannot be trained is refused by name") {
  const TempFolder folder;
  torch::jit::Module net = part("Net");
  SECTION("no such file") {
    CHECK_THAT(refusal(folder.file("none.pt")), ContainsSubstring("none.pt: cannot be opened: No such"));
  }
  SECTION("a folder") { CHECK_THAT(refusal(folder.path().string()), ContainsSubstring("not a file")); }
  SECTION("another file") {
    std::ofstream(folder.file("text.pt")) << "weights";
    CHECK_THAT(refusal(folder.file("text.pt")), ContainsSubstring("not a TorchScript file"));
  }
  SECTION("an empty file") {
    std::ofstream(folder.file("empty.pt"));
    CHECK_THAT(refusal(folder.file("empty.pt")), ContainsSubstring("not a TorchScript file"));
  }
  SECTION("a file that is cut off") {
    net.register_parameter("w", torch::ones({}), false);
    net.define("def forward(self, x):\n  return x * self.w\n");
    const std::string file = saved(folder, net);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    CHECK_THAT(refusal(file), ContainsSubstring("cut off"));
  }
  SECTION("no parameters") {
    net.define("def forward(self, x):\n  return x\n");
    CHECK_THAT(refusal(saved(folder, net)), ContainsSubstring("no parameters to train"));
  }
  SECTION("two inputs") {
    net.register_parameter("w", torch::ones({}), false);
    net.define("def forward(self, x, mask):\n  return x * mask * self.w\n");
    CHECK_THAT(refusal(saved(folder, net)), ContainsSubstring("takes 2: x, mask"));
  }
  SECTION("no forward") {
    net.register_parameter("w", torch::ones({}), false);
    CHECK_THAT(refusal(saved(folder, net)), ContainsSubstring("no forward"));
  }
}

TEST_CASE("a file cut at any place is refused or loads whole") {
  const TempFolder folder;
  const std::string file = saved(folder, network());
  const std::string bytes = bytes_of(file);
  for (size_t n = 1; n < bytes.size(); n += bytes.size() / 40) {
    std::ofstream(folder.file("cut.pt"), std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(n));
    CHECK_THAT(refusal(folder.file("cut.pt")), ContainsSubstring("cut.pt: "));
  }
}

TEST_CASE("a file with a changed byte is refused with its name, or loads") {
  const TempFolder folder;
  const std::string bytes = bytes_of(saved(folder, network()));
  for (size_t place = 0; place < bytes.size(); place += 1 + bytes.size() / 300) {
    std::string changed = bytes;
    changed[place] = static_cast<char>(changed[place] ^ (1 << place % 8));
    std::ofstream(folder.file("changed.pt"), std::ios::binary) << changed;
    const std::string text = refusal(folder.file("changed.pt"));
    CAPTURE(place, text);
    CHECK((text.empty() || text.find("changed.pt: ") != std::string::npos));
  }
}

TEST_CASE("a mode that a trace has fixed is reported") {
  const TempFolder folder;
  torch::jit::Module net = part("Net");
  net.register_parameter("w", torch::ones({}), false);
  net.define("def forward(self, x):\n  return torch.dropout(x, 0.5, False) * self.w\n");
  const auto script = read_script(saved(folder, net));
  REQUIRE(script.warnings.size() == 1);
  CHECK_THAT(script.warnings[0], ContainsSubstring("dropout is always in evaluation mode"));
  CHECK(read_script(saved(folder, network())).warnings.empty());
}

TEST_CASE("dropout that follows the mode by its probability, as in nn.MultiheadAttention, is not reported") {
  const TempFolder folder;
  torch::jit::Module net = part("Net");
  net.register_parameter("w", torch::ones({}), false);
  net.register_attribute("training", c10::BoolType::get(), true);
  net.define(
      "def forward(self, x):\n"
      "  p = 0.5\n"
      "  if not self.training:\n"
      "    p = 0.0\n"
      "  return torch.dropout(x, p, True) * self.w\n");
  CHECK(read_script(saved(folder, net)).warnings.empty());
}

// Not a test: writes a network for ten classes that `host check` tries the plugin with.
TEST_CASE("write the network of host check", "[.write]") {
  const char* file = std::getenv("LEVIN_TORCHSCRIPT_FILE");
  REQUIRE(file != nullptr);
  torch::jit::Module net = part("Net");
  net.register_parameter("weight", torch::linspace(-1, 1, 10).requires_grad_(), false);
  net.define("def forward(self, x):\n  return torch.mean(torch.flatten(x, 1), 1).unsqueeze(1) * self.weight\n");
  net.save(file);
}
