#include "host/config_files/lightning_cli.hpp"

#include <algorithm>
#include <map>

#include "core/base/did_you_mean.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/optim/optim_spec.hpp"
#include "host/compose/component_options.hpp"
#include "host/compose/composition.hpp"
#include "host/compose/run_builder.hpp"
#include "host/config_files/lightning_defaults.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// What the name of a class may have more than the id of its component: RichNAME, CSVLogger, MyDataModule.
constexpr const char* prefixes_of_classes[] = {"rich", "tqdm", "model"};
constexpr const char* endings_of_classes[] = {"logger", "datamodule", "model", "module", "callback"};
// Arguments of Lightning's loggers that are options of the Trainer.
constexpr std::pair<const char*, const char*> logger_arguments[] = {
    {"save_dir", "default_root_dir"}, {"name", "log_name"}, {"version", "log_version"}};
// Values of the Trainer that Lightning also takes as an object.
constexpr std::pair<const char*, const char*> classes_of_values[] = {
    {"simpleprofiler", "simple"}, {"advancedprofiler", "advanced"}, {"ddpstrategy", "ddp"}};
// An optimizer or schedule by its class becomes options of the model, as the models in the box have them.
constexpr struct OptimPart {
  const char *key, *option;
  const std::vector<OptimSpec>& (*table)();
} optim_parts[] = {{"optimizer", "optimizer", &optimizer_table}, {"lr_scheduler", "scheduler", &schedule_table}};

// The name of a class or component for comparisons: "my_net" and "MyNet" are the same.
std::string plain_name(const std::string& name) {
  std::string out = lower(name.substr(name.rfind('.') + 1));
  out.erase(std::remove(out.begin(), out.end(), '_'), out.end());
  return out;
}

template <size_t n>
const char* counterpart(const std::pair<const char*, const char*> (&table)[n], const std::string& name) {
  for (const auto& [lightning, ours] : table)
    if (name == lightning) return ours;
  return nullptr;
}

bool is_class(const json& value) { return value.is_object() && value.contains("class_path"); }

// Returns true if Lightning itself has the class, so that its name leaves no doubt.
bool is_of_lightning(const std::string& class_path) {
  return starts_with(class_path, "lightning.") || starts_with(class_path, "pytorch_lightning.") ||
         starts_with(class_path, "lightning_fabric.");
}

class Translation {
 public:
  Translation(const ConfigLayer& layer, const ReadingContext& context)
      : from_(layer.document), name_(layer.name), context_(context), out_(layer.document) {}

  JsonDocument translated() {
    if (!from_.value.is_object()) return std::move(out_);
    for (const char* group : {"model", "data"}) attempt([&] { component(group); });
    if (const json* trainer = member(from_.value, "trainer"); trainer != nullptr && trainer->is_object())
      attempt_parts(*trainer);
    for (const OptimPart& part : optim_parts) attempt([&] { optimization(part); });
    for (const char* const* key = arguments_of_lightning_commands; *key != nullptr; ++key)
      attempt([&] { argument_of_command(*key); });
    return std::move(out_);
  }

 private:
  template <class F>
  void attempt(const F& part) {
    if (context_.errors == nullptr) return part();
    try {
      part();
    } catch (const Error& error) {
      context_.errors->push_back(error);
    }
  }

  static const json* member(const json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  std::string where(const std::string& path) const { return from_.place_text(name_, path) + ": "; }
  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    throw Error(ErrorCode::file_content_invalid, where(path) + what);
  }

  // Sets a member of the result, such as {"callback", "best", "monitor"}, which stands at `from` in the file.
  void put(const std::vector<std::string>& keys, const json& value, const std::string& from) {
    json* at = &out_.value;
    std::string path;
    for (const std::string& key : keys) {
      if (!at->is_object()) *at = json::object();
      at = &(*at)[key];
      path += (path.empty() ? "" : "/") + key;
      const auto place = from_.places.find(from);
      if (place != from_.places.end()) out_.places.emplace(path, place->second);
    }
    *at = value;
  }

  void put_in_trainer(const std::string& option, const json& value, const std::string& from) {
    const json* trainer = member(out_.value, "trainer");
    const json* known = trainer != nullptr && trainer->is_object() ? member(*trainer, option.c_str()) : nullptr;
    if (known != nullptr && !known->is_null() && *known != value)
      fail(from, "'trainer." + option + "' is given twice, " + show(*known) + " and " + show(value));
    put({"trainer", option}, value, from);
  }

  std::string class_path_of(const json& value, const std::string& path) const {
    const json& written = value.at("class_path");
    if (!written.is_string()) fail(path + "/class_path", "'class_path' is the name of a class");
    for (const auto& item : value.items())
      if (item.key() != "class_path" && item.key() != "init_args" && item.key() != "dict_kwargs")
        fail(path + "/" + item.key(), "beside 'class_path' there is only 'init_args'");
    if (value.contains("dict_kwargs")) fail(path + "/dict_kwargs", "'dict_kwargs' is not read; use 'init_args'");
    if (!arguments_of(value).is_object()) fail(path + "/init_args", "'init_args' is an object of arguments");
    return written;
  }

  static json arguments_of(const json& value) {
    const json arguments = value.value("init_args", json());
    return arguments.is_null() ? json::object() : arguments;
  }

  // Returns the component of a class; nullptr = there is none.
  const ComponentSchema* find_component(const std::string& group, const std::string& class_path) const {
    const std::string name = plain_name(class_path);
    std::vector<std::string> names = {name};
    for (const std::string prefix : prefixes_of_classes)
      if (starts_with(name, prefix)) names.push_back(name.substr(prefix.size()));
    for (const std::string ending : endings_of_classes)
      if (ends_with(name, ending)) names.push_back(name.substr(0, name.size() - ending.size()));
    for (const std::string& each : names)
      for (const FoundComponent& found : context_.source.all(kind_of_group(group)))
        if (!each.empty() && plain_name(found.component->id) == each) return found.component;
    return nullptr;
  }

  [[noreturn]] void refuse_class(const std::string& group, const std::string& class_path,
                                 const std::string& path) const {
    std::vector<std::string> ids;
    for (const FoundComponent& found : context_.source.all(kind_of_group(group))) ids.push_back(found.component->id);
    const std::string last = class_path.substr(class_path.rfind('.') + 1);
    fail(path + "/class_path", "there is no " + group + " for the Python class '" + class_path +
                                   "'; write \"component\" and a plugin in place of class_path" +
                                   did_you_mean(last, ids, 12));
  }

  bool is_named(const std::string& group) const {
    const auto& named = context_.named;
    return std::any_of(named.begin(), named.end(), [&](const Setting& s) { return s.key == group; });
  }

  void component(const std::string& group) {
    const json* value = member(from_.value, group.c_str());
    if (value == nullptr || !is_class(*value)) return;
    out_.value.erase(group);  // also before a refusal, so that nothing else is said of it
    const std::string class_path = class_path_of(*value, group);
    const ComponentSchema* found = find_component(group, class_path);
    if (found == nullptr && !is_named(group)) refuse_class(group, class_path, group);
    if (found == nullptr) {
      context_.warnings.push_back(where(group + "/class_path") + "--" + group + " takes the place of the class " +
                                  class_path + ", and its init_args are not read");
      return;
    }
    if (!is_named(group))
      context_.warnings.push_back(where(group + "/class_path") + "the class " + class_path + " is read as the " +
                                  group + " " + found->full_name());
    instance({group}, *found, *value, group);
  }

  // Puts the component and its options. Ignores an argument that the component does not have and that asks for nothing.
  void instance(std::vector<std::string> keys, const ComponentSchema& found, const json& value,
                const std::string& path) {
    put(keys, json::object(), path + "/class_path");
    keys.emplace_back("component");
    put(keys, found.full_name(), path + "/class_path");
    const json arguments = arguments_of(value);
    for (const auto& [name, argument] : arguments.items()) {
      const std::string from = path + "/init_args/" + name;
      const char* of_trainer = found.kind == LEVIN_KIND_LOGGER ? counterpart(logger_arguments, name) : nullptr;
      const bool known = find_option(found, name) != nullptr;
      if (!known && asks_nothing(keys.front(), name, argument)) continue;
      if (!known && of_trainer != nullptr) {
        put_in_trainer(of_trainer, argument, from);
        continue;
      }
      keys.back() = name;
      put(keys, argument, from);
    }
  }

  void attempt_parts(const json& trainer) {
    for (const auto& [key, group] : {std::pair("callbacks", "callback"), std::pair("logger", "logger")})
      attempt([&, key = key, group = group] { instances(trainer, key, group); });
    for (const auto& [name, value] : trainer.items()) {
      if (name == "callbacks" || name == "logger") continue;
      if (is_class(value)) attempt([&, name = name, value = value] { value_of_class(name, value); });
      if (value.is_null() && !serves_trainer_option(name, context_.source)) out_.value["trainer"].erase(name);
    }
  }

  void instances(const json& trainer, const char* key, const std::string& group) {
    const json* value = member(trainer, key);
    const std::string path = std::string("trainer/") + key;
    if (value == nullptr || (group == "logger" && !value->is_structured())) return;
    if (!value->is_null() && !value->is_structured())
      fail(path, "'trainer." + std::string(key) + "' is a list of classes");
    out_.value["trainer"].erase(key);
    if (is_class(*value)) return one_instance(group, *value, path);
    if (value->is_object()) fail(path, "'trainer." + std::string(key) + "' has no 'class_path'");
    for (size_t i = 0; i < value->size(); ++i)
      attempt([&, i] {
        const json& element = (*value)[i];
        const std::string at = path + "/" + std::to_string(i);
        if (!is_class(element))
          fail(at, show(element) + " is no element of 'trainer." + key +
                       "'; an element is {\"class_path\": \"...\", \"init_args\": {...}}");
        one_instance(group, element, at);
      });
  }

  void one_instance(const std::string& group, const json& value, const std::string& path) {
    const std::string class_path = class_path_of(value, path);
    const ComponentSchema* found = find_component(group, class_path);
    if (found == nullptr) refuse_class(group, class_path, path);
    if (!is_of_lightning(class_path))
      context_.warnings.push_back(where(path + "/class_path") + "the class " + class_path + " is read as the " + group +
                                  " " + found->full_name());
    const int number = ++instances_[found];
    const std::string name = found->id + (number == 1 ? "" : "_" + std::to_string(number));
    instance({group, name}, *found, value, path);
  }

  void value_of_class(const std::string& name, const json& value) {
    out_.value["trainer"].erase(name);
    const std::string path = "trainer/" + name, class_path = class_path_of(value, path);
    const char* word = counterpart(classes_of_values, plain_name(class_path));
    if (word == nullptr)
      fail(path + "/class_path",
           "trainer." + name + " has nothing for the Python class '" + class_path + "'; see host help trainer");
    put({"trainer", name}, word, path);
    const json arguments = arguments_of(value);
    for (const auto& [key, argument] : arguments.items())
      if (!asks_nothing("trainer", key, argument)) put_in_trainer(key, argument, path + "/init_args/" + key);
  }

  void optimization(const OptimPart& part) {
    const json* value = member(from_.value, part.key);
    if (value == nullptr || !is_class(*value)) return;
    out_.value.erase(part.key);
    const std::string key = part.key, option = part.option, class_path = class_path_of(*value, key);
    const std::string name = class_path.substr(class_path.rfind('.') + 1);
    const json options = options_of_optimization(part, find_spec(part.table(), name), arguments_of(*value));
    if (out_.value.contains("model") && out_.value.at("model").is_string())
      put({"model", "component"}, json(from_.value.at("model")), "model");
    put({"model", option}, name, key + "/class_path");
    json others = json::object();
    for (const auto& [argument, given] : options.items()) {
      if (argument == "lr" && option == "optimizer")
        put({"model", "lr"}, given, key + "/init_args/lr");
      else
        others[argument] = given;
    }
    if (!others.empty()) put({"model", option + "_options"}, others, key + "/init_args");
  }

  // Returns the arguments that ask for something. They are checked here, where each has a place, if it is known what
  // the optimizer or schedule takes.
  json options_of_optimization(const OptimPart& part, const OptimSpec* spec, const json& arguments) {
    if (spec == nullptr) return arguments;
    json out = json::object();
    std::vector<std::string> names;
    for (const OptionSchema& option : spec->options) names.push_back(option.name);
    for (const auto& [name, value] : arguments.items()) {
      const std::string path = std::string(part.key) + "/init_args/" + name;
      const auto is_it = [&name = name](const OptionSchema& option) { return option.name == name; };
      const auto known = std::find_if(spec->options.begin(), spec->options.end(), is_it);
      if (known == spec->options.end() && asks_nothing(part.key, name, value)) continue;
      attempt([&, name = name, value = value] {
        if (known == spec->options.end())
          fail(path, std::string(part.option) + " '" + spec->id + "' has no option '" + name + "'" +
                         did_you_mean(name, names, 30));
        checked_value(*known, {part.key + ("." + name), value, from_.place_text(name_, path), rank_file}, {});
        out[name] = value;
      });
    }
    return out;
  }

  void argument_of_command(const std::string& key) {
    const json* value = member(out_.value, key.c_str());
    if (value == nullptr) return;
    const bool is_section = value->is_object() && is_one_of(key, {"fit", "validate", "test", "predict", "tune"});
    if (is_section || value->is_null()) out_.value.erase(key);
    if (is_section) fail(key, "'" + key + "' is the section of one command; move its members up, or into profiles");
  }

  const JsonDocument& from_;
  const std::string& name_;
  const ReadingContext& context_;
  JsonDocument out_;
  std::map<const ComponentSchema*, int> instances_;  // how many of each component there are
};

}  // namespace

const char* const arguments_of_lightning_commands[] = {
    "config",       "weights_only", "return_predictions", "verbose", "dataloaders", "optimizer",
    "lr_scheduler", "fit",          "validate",           "test",    "predict",     "tune",
    nullptr};

JsonDocument levin_form(const ConfigLayer& layer, const ReadingContext& context) {
  return Translation(layer, context).translated();
}

std::vector<Setting> settings_of_layer(const ConfigLayer& layer, int rank, const ReadingContext& context) {
  return settings_from_config(levin_form(layer, context), layer.name, rank, context.errors);
}

}  // namespace levin::core
