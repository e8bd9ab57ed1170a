#include "host/commands/check_options.hpp"

#include <algorithm>
#include <set>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"

namespace levin::core {
namespace {

[[noreturn]] void refuse_check(const std::string& what) { throw Error(ErrorKind::usage, "host check: " + what); }

double time_limit(const std::string& text) {
  OptionSchema schema;
  schema.name = "time_limit";
  schema.type = LEVIN_T_FLOAT;
  schema.min = 0.1;
  schema.max = 86400;
  return check_option(schema, text, "--time_limit").get<double>();
}

class WordReader {
 public:
  explicit WordReader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  CheckArguments read() {
    for (; at_ < arguments_.size(); ++at_) {
      if (starts_with(arguments_[at_], "--"))
        option();
      else if (!out_.file.empty())
        refuse_check("'" + arguments_[at_] + "' is one word too many; see host help check");
      else
        out_.file = arguments_[at_];
    }
    if (out_.file.empty()) throw Error(ErrorKind::usage, "host check FILE: no file is named");
    return std::move(out_);
  }

 private:
  void option() {
    const std::string word = arguments_[at_].substr(2);
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (name == "trust" || name == "json") {
      if (equals != std::string::npos) refuse_check("--" + name + " takes no value");
      (name == "trust" ? out_.trust : out_.json) = true;
      return;
    }
    std::string value;
    const bool follows = at_ + 1 < arguments_.size() && !starts_with(arguments_[at_ + 1], "--");
    if (equals != std::string::npos)
      value = word.substr(equals + 1);
    else if (follows)
      value = arguments_[++at_];
    if (name != "plugins" && name != "time_limit") return out_.options.emplace_back(name, value), void();
    if (value.empty()) refuse_check("--" + name + ": a value is missing");
    if (name == "plugins") out_.plugins.push_back(value);
    if (name == "time_limit") out_.seconds = time_limit(value);
  }

  const std::vector<std::string>& arguments_;
  size_t at_ = 0;
  CheckArguments out_;
};

// An option of one component, and the ways to write it.
struct Known {
  const ComponentSchema* component;
  const OptionSchema* option;
  std::string kind() const { return kind_name(component->kind); }
  bool is_called(const std::string& name) const {
    std::vector<std::string> names = option->aliases;
    names.push_back(option->name);
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) {
      return name == n || name == kind() + "." + n || name == kind() + "." + component->id + "." + n;
    });
  }
};

std::vector<Known> known_options(const PluginSchema& schema) {
  std::vector<Known> out;
  for (const ComponentSchema& component : schema.components)
    for (const OptionSchema& option : component.options) out.push_back({&component, &option});
  return out;
}

[[noreturn]] void refuse_option(const std::string& name, const std::vector<Known>& known) {
  std::set<std::string> names = {"json", "plugins", "time_limit", "trust"};
  const bool dotted = name.find('.') != std::string::npos;
  for (const Known& k : known) names.insert(dotted ? k.kind() + "." + k.option->name : k.option->name);
  const std::vector<std::string> all(names.begin(), names.end());
  const auto near = nearest(name, all);
  refuse_check("no component of this plugin has the option --" + name +
               (near ? "; did you mean --" + *near + "?" : "; see host inspect FILE"));
}

nlohmann::json value_of(const Known& known, const std::string& name, const std::string& text) {
  if (text.empty() && known.option->type == LEVIN_T_BOOL) return true;
  if (text.empty() && known.option->type != LEVIN_T_STRING) refuse_check("--" + name + ": a value is missing");
  return check_option(*known.option, text, "--" + name);
}

}  // namespace

CheckArguments read_check_arguments(const std::vector<std::string>& arguments) { return WordReader(arguments).read(); }

nlohmann::json check_options(const CheckArguments& arguments, const PluginSchema& schema) {
  nlohmann::json out = nlohmann::json::object();
  const std::vector<Known> all = known_options(schema);
  for (const auto& [name, text] : arguments.options) {
    std::set<std::string> kinds;
    for (const Known& known : all) {
      if (!known.is_called(name)) continue;
      kinds.insert(known.kind());
      out[known.kind() + "." + known.component->id][known.option->name] = value_of(known, name, text);
    }
    if (kinds.empty()) refuse_option(name, all);
    if (kinds.size() > 1)
      refuse_check("--" + name + " is ambiguous: say --" + join({kinds.begin(), kinds.end()}, "." + name + " or --") +
                   "." + name);
  }
  return out;
}

}  // namespace levin::core
