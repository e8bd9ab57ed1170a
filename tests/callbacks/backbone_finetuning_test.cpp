#include "callbacks/backbone_finetuning/backbone_lr.hpp"
#include "catch.hpp"
#include "levin/testing.hpp"

namespace backbone_finetuning_test {
using levin::testing::Component;
using levin::testing::FakeHost;

namespace {

struct Model {
  Model() {
    for (const char* name : {"backbone.0.weight", "backbone.bn.weight", "head.weight"})
      host.params.push_back({name, host.tensor({1.0F}, {1}), LEVIN_PARAMETER, true});
    host.modules = {{"", "Net", 0, true},
                    {"backbone", "Sequential", 1, true},
                    {"backbone.0", "Linear", 2, true},
                    {"backbone.bn", "BatchNorm1d", 2, true},
                    {"head", "Linear", 1, true}};
    host.optimizers.push_back({"SGD", {{"", {{"lr", 0.1}}}}});
  }
  void epoch(Component& c, int64_t epoch) {
    host.at(epoch, epoch);
    c.send(LEVIN_HOOK_TRAIN_EPOCH_START);
  }
  double backbone_lr() { return host.optimizers[0].groups.at(1).options["lr"]; }
  FakeHost host;
};

}  // namespace

TEST_CASE("backbone_finetuning freezes the backbone but for its batch normalization, and unfreezes it later") {
  Model m;
  Component c(m.host, "backbone_finetuning", {{"unfreeze_backbone_at_epoch", 1}, {"backbone_initial_lr", 0.03}});
  c.send(LEVIN_HOOK_SETUP);
  CHECK_FALSE(m.host.params[0].requires_grad);
  CHECK(m.host.params[1].requires_grad);
  CHECK(m.host.params[2].requires_grad);
  m.epoch(c, 0);
  CHECK(m.host.optimizers[0].groups.size() == 1);
  m.epoch(c, 1);
  CHECK(m.host.params[0].requires_grad);
  CHECK(m.backbone_lr() == 0.03);
  CHECK(m.host.calls == std::vector<std::string>{"add_group backbone.0.weight"});
  m.epoch(c, 2);
  CHECK(m.backbone_lr() == Approx(0.06));
  m.epoch(c, 3);
  CHECK(m.backbone_lr() == Approx(0.1));  // the same as that of the head
}

TEST_CASE("a resumed fit has the groups that were added before") {
  Model m;
  Component first(m.host, "backbone_finetuning", {{"unfreeze_backbone_at_epoch", 0}, {"backbone_initial_lr", 0.01}});
  first.send(LEVIN_HOOK_SETUP);
  m.epoch(first, 0);
  Model resumed;
  Component second(resumed.host, "backbone_finetuning", {{"unfreeze_backbone_at_epoch", 0}});
  second.send(LEVIN_HOOK_SETUP);
  second.load(first.save());
  second.send(LEVIN_HOOK_FIT_START);
  CHECK(resumed.host.params[0].requires_grad);
  CHECK(resumed.backbone_lr() == 0.01);
  resumed.epoch(second, 1);
  CHECK(resumed.backbone_lr() == Approx(0.02));
}

TEST_CASE("a model without the backbone is told which modules there are") {
  Model m;
  Component c(m.host, "backbone_finetuning", {{"backbone", "features"}});
  CHECK_THROWS_WITH(c.send(LEVIN_HOOK_SETUP),
                    ContainsSubstring("--callback.backbone_finetuning.backbone has to name a part of the model") &&
                        ContainsSubstring("'features'") && ContainsSubstring("backbone, head"));
}

}  // namespace backbone_finetuning_test
