// levin::DataSource: a data module that gives all splits.
#pragma once
#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <c10/util/Type.h>

#include "levin/trainer/loan.hpp"
#include "levin/trainer/options.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// Returns the class's name without its namespaces, with letters that a component's id may have.
template <class T>
std::string id_of_class() {
  std::string name = c10::demangle(typeid(T).name());
  name = name.substr(0, name.find('<'));
  if (const size_t colon = name.rfind(':'); colon != std::string::npos) name = name.substr(colon + 1);
  const bool usable = !name.empty() && std::all_of(name.begin(), name.end(),
                                                   [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return usable && !std::isdigit(static_cast<unsigned char>(name[0])) ? name : "own";
}

}  // namespace detail

// A data module of a plugin file, or an object of a class that derives from levin::DataModule, which has to outlive the
// runs and the last save_checkpoint.
class DataSource {
 public:
  DataSource(Component file) : file_(std::move(file)) {}
  template <class D, class = std::enable_if_t<std::is_base_of_v<DataModule, D>>>
  DataSource(D& module) : object_(&module), describe_(&detail::lent_data<D>), id_(detail::id_of_class<D>()) {}
  const Component* file() const { return file_ ? &*file_ : nullptr; }
  void* object() const { return object_; }
  const std::string& id() const { return id_; }
  levin_component describe(const char* id) const { return describe_(id); }

 private:
  std::optional<Component> file_;
  void* object_ = nullptr;
  detail::DescribeLent describe_ = nullptr;
  std::string id_;
};

}  // namespace levin
#pragma GCC visibility pop
