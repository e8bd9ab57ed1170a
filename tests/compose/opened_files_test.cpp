#include "host/compose/opened_files.hpp"

#include "catch.hpp"

using namespace levin::core;

TEST_CASE("a TorchScript file in place of a model is the model torchscript with this file") {
  const std::string file = GENERATE("net.pt", "/a/net.pth", "net.ts", "my net.torchscript", "net.pt2");
  std::vector<Setting> settings = {{"data", "mnist", "--data", rank_command_line},
                                   {"model", file, "--model", rank_command_line},
                                   {"model.lr", 0.1, "--model.lr", rank_command_line}};
  open_files(settings);
  REQUIRE(settings.size() == 4);
  CHECK(settings[1].key == "model");
  CHECK(settings[1].value == "torchscript");
  CHECK(settings[2].key == "model.file");
  CHECK(settings[2].value == file);
  CHECK(settings[2].origin == "--model");
  CHECK(settings[2].rank == rank_command_line);
}

TEST_CASE("other components keep their settings") {
  std::vector<Setting> settings = {{"model", "libnet.so", "--model"},
                                   {"data", "weights.pt", "--data"},
                                   {"model.init_from", "weights.pt", "--model.init_from"},
                                   {"model", nullptr, "run.json:1"}};
  open_files(settings);
  REQUIRE(settings.size() == 4);
  CHECK(settings[0].value == "libnet.so");
  CHECK(settings[1].value == "weights.pt");
}
