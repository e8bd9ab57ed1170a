// Objects of a program as components of a run.
#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "levin/torch.hpp"
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
  std::shared_ptr<void> model{};
  int64_t classes = 0;  // of the target in `rows`; 0 = the model does not say
  std::array<std::shared_ptr<RowSource>, LEVIN_SPLITS> rows{};
  void* data = nullptr;                      // a data module that takes the place of the rows
  std::map<std::string, void*> callbacks{};  // by the id of their component
  std::vector<HookListener> listeners{};
  mutable std::vector<std::function<void(bool)>> loans{};  // one for each object that a component of the run stands for

  // Gives the objects the host, or takes it away.
  void lend(bool on) const {
    for (const auto& loan : loans) loan(on);
  }
};
inline const ProgramObjects& program_objects(const levin_host* host) {
  return *static_cast<const ProgramObjects*>(host->service(host, program_objects_service));
}

// Gives an existing object what create() gives the constructor of a component: the host, the name and, for a model, the
// description of the data. host = nullptr takes them away.
struct Loan {
  static void set(Object& object, const levin_host* host, const std::string& name, const DataInfo&) {
    object.services_ = Services(host);
    object.name_ = name;
  }
  static void set(ModelBase& model, const levin_host* host, const std::string& name, const DataInfo& data) {
    set(static_cast<Object&>(model), host, name, data);
    model.data_ = data;
    if (!host) model.run_ = nullptr;
  }
};

// Holds an object that the program owns (see Holder).
template <class T, class Extra>
struct LentHolder {
  T& object;
  Extra extra{};
  explicit LentHolder(const levin_create* in) : object(find(in->name)) {
    const levin_host* host = creating().host;
    std::function<void(bool)> loan = [&lent = object, host, name = std::string(in->name),
                                      data = DataInfo(in->data)](bool on) {
      if (on)
        Loan::set(lent, host, name, data);
      else
        Loan::set(lent, nullptr, "", DataInfo());
    };
    loan(true);
    program_objects(host).loans.push_back(std::move(loan));
  }
  static LentHolder& of(void* self) { return *static_cast<LentHolder*>(self); }

 private:
  static T& find(const char* name) {
    const ProgramObjects& objects = program_objects(creating().host);
    if constexpr (std::is_base_of_v<ModelBase, T>)
      return *static_cast<T*>(objects.model.get());
    else if constexpr (std::is_base_of_v<DataModule, T>)
      return *static_cast<T*>(objects.data);
    else
      return *static_cast<T*>(objects.callbacks.at(name));
  }
};

// The options of a class are arguments of its constructor, which was called already.
inline levin_component without_options(levin_component component) {
  component.options = nullptr;
  component.n_options = 0;
  component.defaults = nullptr;
  return component;
}
template <class T>
levin_component lent_model(const char* id) {
  return without_options(model<T, LentHolder<T, ModelExtra>>(id, "the program's model"));
}
template <class T>
levin_component lent_data(const char* id) {
  return without_options(data_module<T, LentHolder<T, DataExtra>>(id, "the program's data module"));
}
template <class T>
levin_component lent_callback(const char* id) {
  return without_options(callback<T, LentHolder<T, NoExtra>>(id, "a callback of the program"));
}
using DescribeLent = levin_component (*)(const char* id);

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
