// Loads the weights of a checkpoint into a model, and checks the messages if they do not fit.
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "catch.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/state/model_tensors.hpp"
#include "core/checkpoint/state/training_state.hpp"
#include "temp_folder.hpp"
#include "tests/services/service_scene.hpp"

using namespace levin::core;

namespace {

struct Net {
  at::Tensor weight = at::arange(6, at::kFloat).reshape({2, 3}), running = at::full({2}, 7.0);
  ComponentSchema schema;
};

const levin_model table = [] {
  levin_model t{};
  t.o.size = sizeof t;
  t.visit = [](void* self, const levin_visitor* v) -> levin_status {
    auto& net = *static_cast<Net*>(self);
    v->tensor(v, "weight", borrow(net.weight), LEVIN_PARAMETER);
    return v->tensor(v, "running", borrow(net.running), LEVIN_BUFFER);
  };
  t.step = [](void*, const levin_step_in*, const levin_step_out*) -> levin_status { return LEVIN_OK; };
  return t;
}();

struct NetModel {
  Net net;
  Model model{{"net", "libnet.so", &net.schema, false}, &table.o, &net};
};

std::string problem(const std::string& path) {
  const NetModel loaded;
  try {
    load_weights(CheckpointReader(path), loaded.model);
    return "";
  } catch (const Error& e) {
    CHECK(e.kind() == ErrorKind::checkpoint);
    return e.what();
  }
}

std::string file_with(const TempFolder& folder, const std::vector<NamedTensor>& tensors) {
  const std::string path = (folder.path() / "x.ckpt").string();
  CheckpointWriter file;
  file.manifest()["epoch"] = 0;
  for (const NamedTensor& t : tensors) file.put("state_dict." + t.name, t.tensor);
  file.write(path);
  return path;
}

}  // namespace

TEST_CASE("weights and buffers come back as they were saved") {
  const TempFolder folder;
  const std::string path = (folder.path() / "x.ckpt").string();
  NetModel saved, loaded;
  CheckpointWriter file;
  StateBag no_changes;
  put_weights(file, saved.model, no_changes);
  file.write(path);
  loaded.net.weight.zero_();
  loaded.net.running.zero_();
  load_weights(CheckpointReader(path), loaded.model);
  CHECK(at::equal(loaded.net.weight, saved.net.weight));
  CHECK(at::equal(loaded.net.running, saved.net.running));
}

TEST_CASE("a checkpoint that does not fit the model is refused with the names") {
  const TempFolder folder;
  const at::Tensor weight = at::zeros({2, 3}), running = at::zeros({2});
  CHECK(problem(file_with(folder, {{"weight", weight}, {"running", running}})) == "");
  CHECK_THAT(problem(file_with(folder, {{"weight", at::zeros({2, 4})}, {"running", running}})),
             ContainsSubstring("'weight' has the shape [2, 4], and the model's has [2, 3]"));
  CHECK_THAT(problem(file_with(folder, {{"weight", weight}})), ContainsSubstring("the model's running are not in"));
  CHECK_THAT(problem(file_with(folder, {{"weight", weight}, {"running", running}, {"extra", running}})),
             ContainsSubstring("the model has no extra"));
}

TEST_CASE("a fit cannot go on from weights alone, or from other optimizers") {
  const TempFolder folder;
  const std::string path = (folder.path() / "x.ckpt").string();
  ToyNet net;
  ServiceScene scene(net);
  scene.state.save(path, LEVIN_SAVE_WEIGHTS_ONLY);
  CHECK_THROWS_WITH(scene.state.load_position(CheckpointReader(path)), ContainsSubstring("holds weights only"));
  scene.state.save(path);
  net.optimizers = 2;
  scene.configure();
  const CheckpointReader other(path);
  CHECK_THROWS_WITH(scene.state.load_training(other, scene.state.load_position(other)),
                    ContainsSubstring("1 optimizers") && ContainsSubstring("has 2"));
}
