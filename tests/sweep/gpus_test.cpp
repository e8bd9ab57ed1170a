#include "sweep/run/gpus.hpp"

#include <set>

#include "catch.hpp"
#include "temp_folder.hpp"

using namespace levin::core;
using namespace levin::core::sweep;

namespace {
using Gpus = std::vector<std::string>;
const Gpus four = {"0", "1", "2", "3"};
}  // namespace

TEST_CASE("the GPUs are those of CUDA_VISIBLE_DEVICES, else those of the machine") {
  TempFolder dev;
  for (const char* name : {"nvidia1", "nvidia4", "nvidiactl", "nvidia-uvm", "nvidia", "null"}) dev.write(name, "");
  CHECK(visible_gpus({}, dev.path()) == Gpus{"0", "1"});
  CHECK(visible_gpus({{"CUDA_VISIBLE_DEVICES", "3, GPU-5f,MIG-7"}}, dev.path()) == Gpus{"3", "GPU-5f", "MIG-7"});
  CHECK(visible_gpus({{"CUDA_VISIBLE_DEVICES", "2,-1,3"}}, dev.path()) == Gpus{"2"});
  for (const char* none : {"", "-1", " "}) CHECK(visible_gpus({{"CUDA_VISIBLE_DEVICES", none}}, dev.path()).empty());
  CHECK(visible_gpus({}, dev.path() / "nowhere").empty());
}

TEST_CASE("trials that run at the same time use different GPUs") {
  CHECK(share_of_gpus(four, 0, 4) == "0");
  CHECK(share_of_gpus(four, 3, 4) == "3");
  CHECK(share_of_gpus(four, 1, 2) == "2,3");
  CHECK(share_of_gpus(four, 2, 3) == "2");  // the fourth one is left
  for (size_t places = 2; places <= 4; ++places) {
    std::set<std::string> seen;
    for (size_t place = 0; place < places; ++place) CHECK(seen.insert(share_of_gpus(four, place, places)).second);
  }
}

TEST_CASE("more trials than GPUs share them evenly, and a trial that runs alone sees all") {
  std::multiset<std::string> seen;
  for (size_t place = 0; place < 8; ++place) seen.insert(share_of_gpus(four, place, 8));
  for (const std::string& gpu : four) CHECK(seen.count(gpu) == 2);
  CHECK(share_of_gpus(four, 0, 1).empty());
  CHECK(share_of_gpus({}, 1, 2).empty());
}
