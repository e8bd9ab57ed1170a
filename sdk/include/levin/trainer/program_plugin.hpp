// The model, the data and the callbacks of a program as components of a plugin that is part of the program. The Trainer
// uses them through the tables of levin/abi.h like those of any other plugin.
#pragma once
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <c10/util/Type.h>

#include "levin/torch.hpp"
#include "levin/torch/managed.hpp"
#include "levin/trainer/data.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

using HookFunction = std::function<void(const Event&)>;
struct HookListener {
  uint32_t hook;
  HookFunction call;
};

// The objects that the components stand for. Components find them by a service.
inline constexpr const char* program_objects_service = "levin.program/1";
struct ProgramObjects {
  void* model = nullptr;
  std::array<std::shared_ptr<RowSource>, LEVIN_SPLITS> rows{};
  std::vector<HookListener> listeners{};
};
inline const ProgramObjects& program_objects(const levin_host* host) {
  return *static_cast<const ProgramObjects*>(host->service(host, program_objects_service));
}

// Gives an existing model what the constructor of a model in a plugin gets: the host and the description of the data.
// host = nullptr takes them away again. The objects are not const; only the accessors return references to const.
inline void lend_to(ModelBase& model, const levin_host* host, const DataInfo& data) {
  const_cast<Services&>(model.Object::services()) = Services(host);
  const_cast<DataInfo&>(model.ModelBase::data()) = data;
  if (!host) model.ModelBase::set_run(nullptr);
}

// The component of a model that the program owns: its network is the model.
template <class T>
class ProgramModel : public ModelBase {
 public:
  ProgramModel() : model_(*static_cast<T*>(program_objects(host()).model)) { lend_to(model_, host(), data()); }
  T& module() { return model_; }
  void set_run(levin_run* run) {
    ModelBase::set_run(run);
    model_.set_run(run);
  }

 private:
  T& model_;
};

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
      if (i == 1) fields_.back().role = LEVIN_ROLE_TARGET;
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

// Returns the class's name without its namespaces, with letters that a component's id may have.
template <class T>
std::string id_of_class() {
  std::string name = c10::demangle(typeid(T).name());
  name = name.substr(0, name.find('<'));
  if (const size_t colon = name.rfind(':'); colon != std::string::npos) name = name.substr(colon + 1);
  const bool usable = !name.empty() && std::all_of(name.begin(), name.end(),
                                                   [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return usable && !std::isdigit(static_cast<unsigned char>(name[0])) ? name : "model";
}

// The plugin of one call of the Trainer.
struct ProgramPlugin {
  ProgramObjects objects;
  std::string model_id;
  std::array<levin_component, 3> components{};
  std::array<const levin_component*, 3> pointers{};
  levin_plugin plugin{};

  template <class T>
  void describe() {
    model_id = id_of_class<T>();
    components = {levin::model<ProgramModel<T>>(model_id.c_str(), "the program's model"),
                  data_module<ProgramData>("data", "the program's rows"),
                  callback<ProgramCallback>("functions", "the program's functions")};
    levin_component& functions = components[2];
    functions.hooks[0] = functions.hooks[1] = 0;
    for (const HookListener& listener : objects.listeners)
      functions.hooks[listener.hook / 64] |= LEVIN_BIT(listener.hook);
    functions.create = &create<Holder<ProgramCallback, NoExtra>, &program_callback_table>;
    for (size_t i = 0; i < components.size(); ++i) pointers[i] = &components[i];
    plugin = {sizeof plugin, LEVIN_ABI_MAJOR, LEVIN_ABI_MINOR, 0, "program", "", "", "",
              torch_abi(),   pointers.data(), pointers.size()};
  }
};

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
