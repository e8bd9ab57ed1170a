// A model of a plugin in a test, called as the real host calls it.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "levin/model.hpp"
#include "levin/testing/planned.hpp"
#include "levin/testing/torch_host.hpp"

#pragma GCC visibility push(hidden)
namespace levin::testing {

// The arguments of a step other than its batch.
struct StepArguments {
  int64_t batch_idx = 0, dataloader_idx = 0, optimizer_idx = -1, split_idx = -1;
  std::vector<torch::Tensor> hiddens = {};
};

namespace detail {

struct DescribedData {
  levin::detail::DataExtra extra;
  levin_data_info info{};
  DescribedData(std::vector<Field> fields, int64_t rows) {
    extra.set(std::move(fields));
    info.size = sizeof info;
    info.n_fields = static_cast<uint32_t>(extra.raw.size());
    info.field_size = sizeof(levin_field);
    info.fields = extra.raw.data();
    for (int64_t& n : info.rows) n = rows;
  }
};

inline levin_step_out collecting(Outputs& out) {
  levin_step_out raw{};
  raw.size = sizeof raw;
  raw.ctx = &out;
  raw.put = [](const levin_step_out* o, const char* name, levin_tensor* tensor) -> levin_status {
    Outputs& to = *static_cast<Outputs*>(o->ctx);
    if (!tensor) return LEVIN_E_INVALID;
    if (std::strcmp(name, "loss") == 0) return to.loss = to_torch(tensor), LEVIN_OK;
    to.extras.emplace_back(name, to_torch(tensor));
    return LEVIN_OK;
  };
  return raw;
}
inline levin_status collect_hidden(const levin_step_out* out, levin_tensor* tensor) {
  static_cast<Outputs*>(out->ctx)->hiddens.push_back(to_torch(tensor).detach());
  return LEVIN_OK;
}

}  // namespace detail

class TorchModel : public Component {
 public:
  // fields: the inputs and targets as a data module declares them; rows: number of rows of every split.
  TorchModel(TorchHost& host, const levin_component& description, const Options& options = {},
             const std::vector<Field>& fields = {}, int64_t rows = 128)
      : TorchModel(host, description, options, fields, detail::DescribedData(fields, rows)) {}
  // A model of the plugin that is compiled into the test.
  TorchModel(TorchHost& host, const char* id, const Options& options = {}, const std::vector<Field>& fields = {},
             int64_t rows = 128)
      : TorchModel(host, find_component(levin_plugin_v0(host.raw()), id), options, fields, rows) {}

  // The tensors of a batch are in the order of the fields. Logged values are in host.logged.
  Outputs training_step(const std::vector<torch::Tensor>& batch, const StepArguments& arguments = {}) {
    return step(LEVIN_STAGE_FIT, batch, arguments);
  }
  Outputs validation_step(const std::vector<torch::Tensor>& batch, const StepArguments& arguments = {}) {
    return evaluated(LEVIN_STAGE_VALIDATE, batch, arguments);
  }
  Outputs test_step(const std::vector<torch::Tensor>& batch, const StepArguments& arguments = {}) {
    return evaluated(LEVIN_STAGE_TEST, batch, arguments);
  }
  // The prediction is the extra named "prediction".
  Outputs predict_step(const std::vector<torch::Tensor>& batch, const StepArguments& arguments = {}) {
    return evaluated(LEVIN_STAGE_PREDICT, batch, arguments);
  }
  // Returns the tensors that a callback gets from run.forward().
  std::vector<torch::Tensor> forward(const std::vector<torch::Tensor>& inputs) {
    if (!model().forward) throw Error(LEVIN_E_UNSUPPORTED, "the model has no forward");
    std::vector<levin_tensor*> in;
    for (const torch::Tensor& tensor : inputs) in.push_back(to_handle(tensor));
    Outputs out;
    const levin_step_out raw = detail::collecting(out);
    const torch::NoGradGuard no_grad;
    mode(false);
    check(model().forward(self(), host_.run(), in.data(), static_cast<uint32_t>(in.size()), &raw));
    mode(true);
    std::vector<torch::Tensor> tensors;
    for (auto& [name, tensor] : out.extras) tensors.push_back(tensor);
    return tensors;
  }

  std::map<std::string, torch::Tensor> parameters() { return visit(LEVIN_PARAMETER); }
  std::map<std::string, torch::Tensor> buffers() { return visit(LEVIN_BUFFER); }
  void mode(bool training) { check(model().mode(self(), training)); }
  // Calls a hook if the model declares it.
  levin_status send(const levin_event& event) {
    if (!(description().hooks[event.hook / 64] & LEVIN_BIT(event.hook))) return LEVIN_OK;
    return check(model().on(self(), &event));
  }
  levin_status send(uint32_t hook, Stage stage = Stage::fit) { return send(host_.event(hook, stage)); }

  Planned configure_optimizers() {
    Planned planned;
    const levin_optim_plan plan = detail::planning(planned, host_.run());
    if (!model().configure_optimizers) throw Error(LEVIN_E_UNSUPPORTED, "the model has no configure_optimizers");
    check(model().configure_optimizers(self(), &plan));
    return planned;
  }

  // Runs training_step, backward, and a step of gradient descent. Returns the loss before the step.
  double learn(const std::vector<torch::Tensor>& batch, double lr) {
    const torch::Tensor loss = training_step(batch).loss;
    for (auto& [name, parameter] : parameters()) parameter.mutable_grad().reset();
    loss.backward();
    const torch::NoGradGuard no_grad;
    for (auto& [name, parameter] : parameters())
      if (parameter.grad().defined()) parameter.sub_(parameter.grad(), lr);
    return loss.item<double>();
  }

 private:
  TorchModel(TorchHost& host, const levin_component& description, const Options& options,
             const std::vector<Field>& fields, const detail::DescribedData& data)
      : Component(host, description, options, nullptr, fields.empty() ? nullptr : &data.info) {
    for (const Field& field : fields) names_.push_back(field.name);
  }

  const levin_model& model() const { return table<levin_model>(); }
  Outputs evaluated(uint32_t stage, const std::vector<torch::Tensor>& batch, const StepArguments& arguments) {
    const torch::NoGradGuard no_grad;
    mode(false);
    Outputs out = step(stage, batch, arguments);
    mode(true);
    return out;
  }
  Outputs step(uint32_t stage, const std::vector<torch::Tensor>& tensors, const StepArguments& arguments) {
    std::vector<levin_tensor*> handles, hiddens;
    std::vector<const char*> names;
    for (const torch::Tensor& tensor : tensors) handles.push_back(to_handle(tensor));
    for (const torch::Tensor& hidden : arguments.hiddens) hiddens.push_back(to_handle(hidden));
    for (const std::string& name : names_) names.push_back(name.c_str());
    if (!names.empty() && names.size() != handles.size())
      throw Error(LEVIN_E_INVALID, "the data has " + std::to_string(names.size()) + " fields, and the batch " +
                                       std::to_string(handles.size()) + " tensors");
    const int64_t rows = tensors.empty() || tensors[0].dim() == 0 ? 0 : tensors[0].size(0);
    const levin_batch batch = {sizeof batch,   static_cast<uint32_t>(handles.size()),
                               handles.data(), names.empty() ? nullptr : names.data(),
                               rows,           nullptr};
    const levin_batch* batches[] = {&batch};
    levin_step_in in{};
    in.size = sizeof in;
    in.stage = stage;
    in.run = host_.run();
    in.batch = &batch;
    in.batches = batches;
    in.n_batches = 1;
    in.epoch = static_cast<int64_t>(host_.numbers["current_epoch"]);
    in.global_step = static_cast<int64_t>(host_.numbers["global_step"]);
    in.batch_idx = arguments.batch_idx;
    in.dataloader_idx = arguments.dataloader_idx;
    const levin_step_1x step_1x = {sizeof step_1x,
                                   0,
                                   arguments.optimizer_idx,
                                   arguments.split_idx,
                                   hiddens.empty() ? nullptr : hiddens.data(),
                                   hiddens.size(),
                                   &detail::collect_hidden};
    if (stage == LEVIN_STAGE_FIT) in.step_1x = &step_1x;
    Outputs out;
    const levin_step_out raw = detail::collecting(out);
    check(model().step(self(), &in, &raw));
    return out;
  }

  std::map<std::string, torch::Tensor> visit(uint32_t kind) {
    std::pair<uint32_t, std::map<std::string, torch::Tensor>> found(kind, {});
    levin_visitor visitor{};
    visitor.size = sizeof visitor;
    visitor.ctx = &found;
    visitor.tensor = [](const levin_visitor* v, const char* name, levin_tensor* tensor, uint32_t of) -> levin_status {
      auto& [wanted, to] = *static_cast<decltype(found)*>(v->ctx);
      if (of == wanted) to[name] = to_torch(tensor);
      return LEVIN_OK;
    };
    check(model().visit(self(), &visitor));
    return found.second;
  }

  std::vector<std::string> names_;
};

}  // namespace levin::testing
#pragma GCC visibility pop
