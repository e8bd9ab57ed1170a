// The check of disk space for checkpoints, before the first epoch.
#include "core/trainer/disk_space.hpp"

#include <torch/types.h>

#include "catch.hpp"
#include "core/base/error.hpp"
#include "core/optim/optimizers/optimizer.hpp"

using namespace levin::core;

TEST_CASE("too little room is told with the folder, what is needed and what is free") {
  CHECK_NOTHROW(check_room("/runs/1/checkpoints", 100, 100));
  CHECK_THROWS_WITH(
      check_room("/runs/1/checkpoints", uint64_t{3} << 20, (uint64_t{1} << 20) + 1),
      ContainsSubstring("/runs/1/checkpoints: a checkpoint of this run needs 3072 KiB, and there are 1024 KiB "
                        "free") &&
          ContainsSubstring("--trainer.default_root_dir"));
}

TEST_CASE("an optimizer knows the size of its state before the first step") {
  struct Case {
    const char* name;
    nlohmann::json options;
    uint64_t bytes;
  };
  const Case cases[] = {{"sgd", {{"lr", 0.1}}, 0},
                        {"sgd", {{"lr", 0.1}, {"momentum", 0.9}}, 40},
                        {"adam", nullptr, 80},
                        {"adamw", {{"amsgrad", true}}, 120}};
  for (const Case& c : cases) {
    ParamGroup group;
    group.params = {at::zeros({10}).requires_grad_()};
    group.names = {"w"};
    const auto optimizer = make_optimizer(c.name, c.options, {group});
    INFO(c.name << " " << c.options);
    CHECK(optimizer->expected_state_bytes() == c.bytes);
    group.params[0].mutable_grad() = at::ones({10});
    optimizer->step();
    uint64_t bytes = 0;
    for (const auto& [key, tensor] : optimizer->state_dict().tensors) bytes += tensor.nbytes();
    CHECK(bytes == c.bytes);
  }
}
