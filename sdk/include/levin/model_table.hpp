// The C table of a model class.
#pragma once
#include <algorithm>

#include "levin/model.hpp"

namespace levin {
namespace detail {

LEVIN_DETECT(training_step)
LEVIN_DETECT(validation_step)
LEVIN_DETECT(test_step)
LEVIN_DETECT(predict_step)
LEVIN_DETECT(configure_optimizers)
LEVIN_DETECT(optimizer_step)
LEVIN_DETECT(optimizer_zero_grad)
LEVIN_DETECT(backward)
LEVIN_DETECT(lr_scheduler_step)
LEVIN_DETECT(configure_gradient_clipping)
LEVIN_DETECT(on_before_batch_transfer)
LEVIN_DETECT(transfer_batch_to_device)
LEVIN_DETECT(on_after_batch_transfer)
LEVIN_DETECT(automatic_optimization)
LEVIN_DETECT(training_step_end)
LEVIN_DETECT(validation_step_end)
LEVIN_DETECT(test_step_end)
LEVIN_DETECT(training_epoch_end)
LEVIN_DETECT(validation_epoch_end)
LEVIN_DETECT(test_epoch_end)
LEVIN_DETECT(tbptt_split_batch)
LEVIN_DETECT(configure_callbacks)
// A member levin::OwnData own_data, not a function of that name.
template <class T, class = void>
struct has_own_data : std::false_type {};
template <class T>
struct has_own_data<T, std::enable_if_t<std::is_member_object_pointer_v<decltype(&T::own_data)>>> : std::true_type {};

template <class T>
torch::nn::Module& module_of(T& object) {
  if constexpr (std::is_base_of_v<torch::nn::Module, T>)
    return object;
  else
    return object.module();
}

// Mode of every submodule, kept over an evaluation, so that a frozen batch norm stays in eval.
struct ModelExtra {
  std::vector<std::pair<std::shared_ptr<torch::nn::Module>, bool>> training;
  bool evaluating = false;
};

class Emit {
 public:
  Emit(const levin_step_out* out, const char* first) : out_(out), first_(first) {}
  void operator()(const torch::Tensor& tensor) const {
    if (tensor.defined()) put(first_, tensor);
  }
  void operator()(const Outputs& outputs) const {
    if (outputs.loss.defined()) put(first_, outputs.loss);
    for (const auto& [name, tensor] : outputs.extras) put(name.c_str(), tensor);
    for (const torch::Tensor& h : outputs.hiddens) check(out_->put_hidden(out_, to_handle(h)), "hiddens");
  }

 private:
  void put(const char* name, const torch::Tensor& tensor) const {
    check(out_->put(out_, name, to_handle(tensor)), name);
  }
  const levin_step_out* out_;
  const char* first_;
};

inline StepInfo step_info(const levin_step_in* in) {
  StepInfo info{
      static_cast<Stage>(in->stage), in->batch_idx, in->dataloader_idx, in->optimizer_idx, in->split_idx, {}, {}};
  for (uint64_t i = 0; i < in->n_batches; ++i) info.batches.emplace_back(in->batches[i]);
  for (uint64_t i = 0; i < in->n_hiddens; ++i) info.hiddens.push_back(to_torch(in->hiddens[i]));
  return info;
}

// emit(object.step(...)) with the arguments that the step's signature has.
template <class T, class F>
void run_step(T& object, F step, const levin_step_in* in, const Emit& emit) {
  const Batch batch(in->batch);
  auto call = [&](const auto&... more) {
    if constexpr (std::is_void_v<std::invoke_result_t<F, T&, const Batch&, decltype(more)...>>)
      (object.*step)(batch, more...);
    else
      emit((object.*step)(batch, more...));
  };
  if constexpr (std::is_invocable_v<F, T&, const Batch&, int64_t>)
    call(in->batch_idx);
  else if constexpr (std::is_invocable_v<F, T&, const Batch&, int64_t, int64_t>)
    call(in->batch_idx, in->optimizer_idx);
  else if constexpr (std::is_invocable_v<F, T&, const Batch&, const StepInfo&>)
    call(step_info(in));
  else
    call();
}

template <class T>
levin_status missing(T& object, const char* step) {
  return object.host()->fail(object.host(), LEVIN_E_UNSUPPORTED, (std::string("the model has no ") + step).c_str());
}

template <class H>
levin_status step_model(void* self, const levin_step_in* in, const levin_step_out* out) noexcept {
  using T = decltype(H::object);
  T& object = H::of(self).object;
  object.set_run(in->run);
  return guard(object.host(), [&]() -> levin_status {
    const Emit emit(out, in->stage == LEVIN_STAGE_PREDICT ? "prediction" : "loss");
    switch (in->stage) {
      case LEVIN_STAGE_FIT:
        if constexpr (has_training_step<T>::value) return run_step(object, &T::training_step, in, emit), LEVIN_OK;
        return missing(object, "training_step");
      case LEVIN_STAGE_SANITY:
      case LEVIN_STAGE_VALIDATE:
        if constexpr (has_validation_step<T>::value) return run_step(object, &T::validation_step, in, emit), LEVIN_OK;
        return missing(object, "validation_step");
      case LEVIN_STAGE_TEST:
        if constexpr (has_test_step<T>::value) return run_step(object, &T::test_step, in, emit), LEVIN_OK;
        return missing(object, "test_step");
      default:
        if constexpr (has_predict_step<T>::value) return run_step(object, &T::predict_step, in, emit), LEVIN_OK;
        return missing(object, "predict_step");
    }
  });
}

inline Outputs outputs_of(const levin_named* named, uint64_t n) {
  Outputs out;
  for (uint64_t i = 0; i < n; ++i) {
    if (std::strcmp(named[i].name, "loss") == 0)
      out.loss = to_torch(named[i].tensor);
    else
      out.extras.emplace_back(named[i].name, to_torch(named[i].tensor));
  }
  return out;
}

template <class T, class F>
void run_step_end(T& object, F member, const Outputs& outputs, const Emit& emit) {
  if constexpr (std::is_void_v<std::invoke_result_t<F, T&, const Outputs&>>)
    (object.*member)(outputs);
  else
    emit((object.*member)(outputs));
}

template <class H>
levin_status step_end_model(void* self, const levin_step_in* in, const levin_named* named, uint64_t n,
                            const levin_step_out* out) noexcept {
  using T = decltype(H::object);
  T& object = H::of(self).object;
  object.set_run(in->run);
  return guard(object.host(), [&] {
    [[maybe_unused]] const Emit emit(out, "loss");
    [[maybe_unused]] const Outputs outputs = outputs_of(named, n);
    if (in->stage == LEVIN_STAGE_FIT) {
      if constexpr (has_training_step_end<T>::value) run_step_end(object, &T::training_step_end, outputs, emit);
    } else if (in->stage == LEVIN_STAGE_TEST) {
      if constexpr (has_test_step_end<T>::value) run_step_end(object, &T::test_step_end, outputs, emit);
    } else {
      if constexpr (has_validation_step_end<T>::value) run_step_end(object, &T::validation_step_end, outputs, emit);
    }
  });
}

template <class H>
levin_status epoch_end_model(void* self, const levin_epoch_outputs* in) noexcept {
  using T = decltype(H::object);
  T& object = H::of(self).object;
  object.set_run(in->run);
  return guard(object.host(), [&] {
    std::vector<Outputs> outputs;
    for (uint64_t i = 0; i < in->n; ++i) outputs.push_back(outputs_of(in->outputs[i], in->n_outputs[i]));
    if (in->stage == LEVIN_STAGE_FIT) {
      if constexpr (has_training_epoch_end<T>::value) object.training_epoch_end(outputs);
    } else if (in->stage == LEVIN_STAGE_TEST) {
      if constexpr (has_test_epoch_end<T>::value) object.test_epoch_end(outputs);
    } else {
      if constexpr (has_validation_epoch_end<T>::value) object.validation_epoch_end(outputs);
    }
  });
}

// Which of step_end and epoch_end a class has: levin_model.ends.
template <class T>
constexpr uint32_t ends_of() {
  constexpr uint32_t val = 1u << LEVIN_STAGE_VALIDATE | 1u << LEVIN_STAGE_SANITY;
  return (has_training_step_end<T>::value ? 1u << LEVIN_STAGE_FIT : 0) | (has_validation_step_end<T>::value ? val : 0) |
         (has_test_step_end<T>::value ? 1u << LEVIN_STAGE_TEST : 0) |
         (has_training_epoch_end<T>::value ? 256u << LEVIN_STAGE_FIT : 0) |
         (has_validation_epoch_end<T>::value ? val << 8 : 0) |
         (has_test_epoch_end<T>::value ? 256u << LEVIN_STAGE_TEST : 0);
}

template <class H>
levin_status tbptt_split_model(void* self, const levin_batch* batch, int64_t size,
                               const levin_split_out* out) noexcept {
  auto& object = H::of(self).object;
  return guard(object.host(), [&] {
    for (const std::vector<torch::Tensor>& split : object.tbptt_split_batch(Batch(batch), size)) {
      std::vector<levin_tensor*> handles;
      for (const torch::Tensor& t : split) handles.push_back(to_handle(t));
      check(out->add(out, handles.data(), static_cast<uint32_t>(handles.size())), "tbptt_split_batch");
    }
  });
}

template <class T>
constexpr bool looks_at_optimizer_idx() {
  if constexpr (has_training_step<T>::value) {
    using F = decltype(&T::training_step);
    return std::is_invocable_v<F, T&, const Batch&, int64_t, int64_t> ||
           std::is_invocable_v<F, T&, const Batch&, const StepInfo&>;
  }
  return false;
}

template <class H>
levin_status visit_model(void* self, const levin_visitor* v) noexcept {
  auto& object = H::of(self).object;
  return guard(object.host(), [&] {
    for (const auto& p : module_of(object).named_parameters())
      check(v->tensor(v, p.key().c_str(), to_handle(p.value()), LEVIN_PARAMETER), "visit");
    for (const auto& b : module_of(object).named_buffers())
      check(v->tensor(v, b.key().c_str(), to_handle(b.value()), LEVIN_BUFFER), "visit");
  });
}

template <class H>
levin_status mode_model(void* self, uint32_t training) noexcept {
  H& h = H::of(self);
  return guard(h.object.host(), [&] {
    torch::nn::Module& root = module_of(h.object);
    if (training && h.extra.evaluating) {
      root.train(h.extra.training.front().second);
      for (size_t i = 1; i < h.extra.training.size(); ++i) h.extra.training[i].first->train(h.extra.training[i].second);
      h.extra.evaluating = false;
    } else if (!training && !h.extra.evaluating) {
      h.extra.training = {{nullptr, root.is_training()}};
      for (const auto& m : root.modules(/*include_self=*/false)) h.extra.training.emplace_back(m, m->is_training());
      root.eval();
      h.extra.evaluating = true;
    }
  });
}

template <class H>
levin_status move_model(void* self, levin_device device, levin_dtype dtype) noexcept {
  auto& object = H::of(self).object;
  return guard(object.host(), [&] {
    torch::NoGradGuard no_grad;
    auto move = [&](torch::Tensor& t) {
      if (t.defined()) t.set_data(t.to(to_torch(device), t.is_floating_point() ? to_torch(dtype) : t.scalar_type()));
    };
    for (torch::Tensor& t : module_of(object).parameters()) move(t);
    for (torch::Tensor& t : module_of(object).buffers()) move(t);
  });
}

// The thunk of an override that takes an OptimCall.
template <class H, class F>
levin_status override_call(void* self, const levin_optim_call* call, F member) noexcept {
  auto& object = H::of(self).object;
  object.set_run(call->run);
  return guard(object.host(), [&] { (object.*member)(OptimCall(&object.services(), call)); });
}
// ... and of one that returns a batch's tensors.
template <class H, class F>
levin_status transfer_call(void* self, const levin_batch* in, levin_tensor** out, uint32_t n, F call) noexcept {
  auto& object = H::of(self).object;
  return guard(object.host(), [&] {
    std::vector<torch::Tensor> tensors = call(object, Batch(in));
    if (tensors.size() != n)
      throw Error(LEVIN_E_INVALID, "a batch transfer hook has to return as many tensors as it got");
    for (uint32_t i = 0; i < n; ++i) out[i] = release(std::move(tensors[i]));
  });
}

inline std::string short_type(const std::string& type) {
  std::string out = type.substr(type.rfind("::") == std::string::npos ? 0 : type.rfind("::") + 2);
  if (out.size() > 4 && out.compare(out.size() - 4, 4, "Impl") == 0) out.resize(out.size() - 4);
  return out;
}

template <class H>
levin_status visit_modules(void* self, void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx) {
  auto& object = H::of(self).object;
  return guard(object.host(), [&] {
    torch::nn::Module& root = module_of(object);
    each(ctx, "", short_type(root.name()).c_str(), 0, root.is_training());
    for (const auto& m : root.named_modules("", /*include_self=*/false)) {
      const auto depth = 1 + static_cast<uint32_t>(std::count(m.key().begin(), m.key().end(), '.'));
      each(ctx, m.key().c_str(), short_type(m.value()->name()).c_str(), depth, m.value()->is_training());
    }
  });
}

template <class H>
const void* model_extension(void* self, const char* id) noexcept {
  using T = decltype(H::object);
  static const levin_modules modules = {sizeof(levin_modules), 0, &visit_modules<H>};
  if (std::strcmp(id, "levin.modules/1") == 0) return &modules;
  if constexpr (has_extension<T>::value) return H::of(self).object.extension(id);
  return nullptr;
}

template <class H>
void set_overrides(levin_model& t) {
  using T = decltype(H::object);
#define LEVIN_OVERRIDE(member)                                                         \
  if constexpr (has_##member<T>::value)                                                \
    t.member = [](void* self, const levin_optim_call* call) noexcept -> levin_status { \
      return override_call<H>(self, call, &T::member);                                 \
    };
  LEVIN_OVERRIDE(optimizer_step)
  LEVIN_OVERRIDE(optimizer_zero_grad)
  LEVIN_OVERRIDE(backward)
  LEVIN_OVERRIDE(lr_scheduler_step)
  LEVIN_OVERRIDE(configure_gradient_clipping)
#undef LEVIN_OVERRIDE
  if constexpr (has_on_before_batch_transfer<T>::value)
    t.on_before_batch_transfer = [](void* self, const levin_batch* in, levin_tensor** out, uint32_t n) noexcept {
      return transfer_call<H>(self, in, out, n, [](T& o, const Batch& b) { return o.on_before_batch_transfer(b); });
    };
  if constexpr (has_on_after_batch_transfer<T>::value)
    t.on_after_batch_transfer = [](void* self, const levin_batch* in, levin_tensor** out, uint32_t n) noexcept {
      return transfer_call<H>(self, in, out, n, [](T& o, const Batch& b) { return o.on_after_batch_transfer(b); });
    };
  if constexpr (has_transfer_batch_to_device<T>::value)
    t.transfer_batch_to_device = [](void* self, const levin_batch* in, levin_device d, levin_tensor** out,
                                    uint32_t n) noexcept {
      return transfer_call<H>(self, in, out, n,
                              [d](T& o, const Batch& b) { return o.transfer_batch_to_device(b, to_torch(d)); });
    };
}

template <class T>
constexpr uint32_t steps_of() {
  return (has_training_step<T>::value ? 1u << LEVIN_STAGE_FIT : 0) |
         (has_validation_step<T>::value ? 1u << LEVIN_STAGE_VALIDATE : 0) |
         (has_test_step<T>::value ? 1u << LEVIN_STAGE_TEST : 0) |
         (has_predict_step<T>::value ? 1u << LEVIN_STAGE_PREDICT : 0);
}

template <class T>
levin_model make_model_table() {
  using H = Holder<T, ModelExtra>;
  levin_model t{};
  t.o = object_table<H>();
  t.o.size = sizeof t;
  t.o.extension = &model_extension<H>;
  t.visit = &visit_model<H>;
  t.mode = &mode_model<H>;
  t.move = &move_model<H>;
  t.step = &step_model<H>;
  t.steps = [](void*) -> uint32_t { return steps_of<T>(); };
  t.on = [](void* self, const levin_event* event) noexcept -> levin_status {
    T& object = H::of(self).object;
    object.set_run(event->run);
    return guard(object.host(), [&] { return dispatch(object, event); });
  };
  if constexpr (has_configure_optimizers<T>::value)
    t.configure_optimizers = [](void* self, const levin_optim_plan* plan) noexcept -> levin_status {
      T& object = H::of(self).object;
      object.set_run(plan->run);
      return guard(object.host(), [&] {
        OptimPlan wrapper(&object.services(), plan);
        object.configure_optimizers(wrapper);
      });
    };
  if constexpr (ends_of<T>() != 0) {
    t.step_end = &step_end_model<H>;
    t.epoch_end = &epoch_end_model<H>;
    t.ends = [](void*) -> uint32_t { return ends_of<T>(); };
  }
  if constexpr (has_own_data<T>::value)
    t.data_module = [](void* self, void** data, const levin_data** table) noexcept -> levin_status {
      auto& own = H::of(self).object.own_data;
      *data = own.self();
      *table = own.table();
      return LEVIN_OK;
    };
  if constexpr (has_tbptt_split_batch<T>::value) t.tbptt_split_batch = &tbptt_split_model<H>;
  set_overrides<H>(t);
  return t;
}

// What a model says before there is an instance of it: static members of its class.
template <class T>
void set_preparations(levin_component& c) {
  if constexpr (has_prepare_data<T>::value)
    c.prepare_data = [](const levin_host* host, const levin_args* args) noexcept -> levin_status {
      return guard(host, [&] {
        const auto [options, n] = options_of<T>();
        T::prepare_data(Args(args, options, n));
      });
    };
  if constexpr (has_configure_callbacks<T>::value)
    c.configure_callbacks = [](const levin_host* host, const levin_args* args,
                               const levin_callback_list* list) noexcept -> levin_status {
      return guard(host, [&] {
        const auto [options, n] = options_of<T>();
        T::configure_callbacks(Args(args, options, n), CallbackList(list));
      });
    };
}

template <class T>
const levin_object* model_table() {
  static const levin_model table = make_model_table<T>();
  return &table.o;
}

}  // namespace detail

// A component of a class that derives from levin::Model.
template <class T>
levin_component model(const char* id, const char* summary) {
  static_assert(std::is_base_of_v<detail::ModelBase, T>, "a model derives from levin::Model");
  levin_component c = detail::component_of<T>(LEVIN_KIND_MODEL, id, summary);
  if constexpr (detail::has_automatic_optimization<T>::value)
    c.flags |= T::automatic_optimization ? 0u : LEVIN_F_MANUAL;
  if constexpr (detail::looks_at_optimizer_idx<T>()) c.flags |= LEVIN_F_OPTIMIZER_IDX;
  c.create = &detail::create<detail::Holder<T, detail::ModelExtra>, &detail::model_table<T>>;
  detail::set_preparations<T>(c);
  return c;
}

}  // namespace levin
