// The model, the data and the callbacks of a program as components of a plugin that is part of the program. The Trainer
// uses them through the tables of levin/abi.h like those of any other plugin.
#pragma once
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "levin/torch/managed.hpp"
#include "levin/trainer/data_source.hpp"
#include "levin/trainer/loan.hpp"
#include "levin/trainer/supervised.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

class ProgramData : public DataModule {
 public:
  ProgramData() : objects_(program_objects(host())) {}
  std::vector<Field> fields() {
    if (!fields_.empty()) return fields_;
    for (const auto& source : objects_.rows)
      if (source && source->rows() > 0 && fields_.empty()) measure(source->batch({0}));
    return fields_;
  }
  int64_t rows(Split split) const {
    const auto& source = of(split);
    return source ? source->rows() : 0;
  }
  void batch(const Fill& in, std::vector<levin_managed*>& out) const {
    const torch::NoGradGuard no_grad;
    for (const torch::Tensor& tensor : of(in.split)->batch({in.indices, in.indices + in.n}))
      out.push_back(managed(tensor.contiguous()));
  }

 private:
  const std::shared_ptr<RowSource>& of(Split split) const { return objects_.rows[static_cast<uint32_t>(split)]; }
  void measure(const std::vector<torch::Tensor>& row) {
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string name = i == 0 ? "x" : i == 1 ? "y" : "field" + std::to_string(i);
      fields_.push_back(input(name, to_levin(row[i].scalar_type()), row[i].sizes().slice(1).vec()));
      if (i != 1) continue;
      fields_.back().role = LEVIN_ROLE_TARGET;
      if (!torch::isFloatingType(row[i].scalar_type())) fields_.back().classes = objects_.classes;
    }
  }
  const ProgramObjects& objects_;
  std::vector<Field> fields_;
};

class ProgramCallback : public Callback {
 public:
  ProgramCallback() : objects_(program_objects(host())) {}
  void on_fit_start() {}  // the component's mask and table are set from the listeners
  void call(const levin_event* raw) {
    const Event event(&services(), raw);
    for (const HookListener& listener : objects_.listeners)
      if (listener.hook == raw->hook) listener.call(event);
  }

 private:
  const ProgramObjects& objects_;
};

inline const levin_object* program_callback_table() {
  using H = Holder<ProgramCallback, NoExtra>;
  static const levin_callback table = [] {
    levin_callback t{};
    t.o = object_table<H>();
    t.o.size = sizeof t;
    t.on = [](void* self, const levin_event* event) noexcept {
      return with_object<H>(self, [event](ProgramCallback& object) { object.call(event); });
    };
    return t;
  }();
  return &table.o;
}

template <class M>
constexpr bool is_plain_model = false;
template <class Net>
constexpr bool is_plain_model<Classification<Net>> = true;
template <class Net>
constexpr bool is_plain_model<Regression<Net>> = true;

// An object of the program, and the description of a component that stands for it.
struct OwnCallback {
  std::string id;
  void* object;
  DescribeLent describe;
};

// The plugin of one call of the Trainer.
struct ProgramPlugin {
  ProgramObjects objects;
  std::map<std::string, Value> model_options;
  std::deque<std::string> ids;
  std::vector<levin_component> components;
  std::vector<const levin_component*> pointers;
  levin_plugin plugin{};

  template <class M>
  void set_model(M&& model) {
    using T = std::decay_t<M>;
    if constexpr (is_plain_model<T>) {
      const auto copy = std::make_shared<T>(static_cast<const T&>(model));
      objects.model = copy;
      objects.classes = copy->classes();
      model_options = copy->options;
      components.push_back(copy->component(ids.emplace_back("network").c_str()));
    } else {
      static_assert(std::is_base_of_v<ModelBase, T>,
                    "a model of the Trainer derives from levin::Model; levin::Classification(module, classes) and "
                    "levin::Regression(module) make one of a torch::nn::Module");
      static_assert(std::is_lvalue_reference_v<M>, "the model has to live until the last save_checkpoint");
      objects.model = std::shared_ptr<void>(std::shared_ptr<void>(), &model);  // the program owns it
      components.push_back(lent_model<T>(ids.emplace_back(id_of_class<T>()).c_str()));
    }
  }
  void set_rows(std::array<std::shared_ptr<RowSource>, LEVIN_SPLITS> rows) {
    objects.rows = std::move(rows);
    components.push_back(data_module<ProgramData>("data", "the program's rows"));
  }
  // data: an object of the program.
  void set_data(const DataSource& data) {
    objects.data = data.object();
    components.push_back(data.describe(ids.emplace_back(data.id()).c_str()));
  }
  void add_callback(const OwnCallback& own) {
    objects.callbacks[own.id] = own.object;
    components.push_back(own.describe(ids.emplace_back(own.id).c_str()));
  }
  void set_functions(const std::vector<HookListener>& listeners) {
    if (listeners.empty()) return;
    objects.listeners = listeners;
    levin_component functions = callback<ProgramCallback>("functions", "the program's functions");
    functions.hooks[0] = functions.hooks[1] = 0;
    for (const HookListener& listener : listeners) functions.hooks[listener.hook / 64] |= LEVIN_BIT(listener.hook);
    functions.create = &create<Holder<ProgramCallback, NoExtra>, &program_callback_table>;
    components.push_back(functions);
  }
  void finish() {
    for (const levin_component& component : components) pointers.push_back(&component);
    plugin = {sizeof plugin,
              LEVIN_ABI_MAJOR,
              LEVIN_ABI_MINOR,
              0,
              "program",
              "",
              "",
              "",
              torch_abi(),
              pointers.data(),
              static_cast<uint32_t>(pointers.size())};
  }
};

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
