// The options of supervised tasks that treat parameters by name: which are trained, their learning rates, their decay.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "levin/detail/optim_plan.hpp"
#include "levin/options.hpp"
#include "levin/parameters.hpp"
#include "levin/util/words.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

// The ways to initialise weights, NULL-terminated (levin/torch/initialise.hpp).
inline constexpr const char* initialisers[] = {"default",         "normal",         "orthogonal",    "kaiming_normal",
                                               "kaiming_uniform", "xavier_uniform", "xavier_normal", nullptr};

struct ParameterFacts {
  std::string name;
  bool is_vector;  // at most one dimension, as norms and biases have
  bool is_trained;
};

// A pattern of names (levin::names_parameter) and what was written behind it.
struct NamePattern {
  std::string pattern, value;
};

// Reads "features:0.1, *.bias:2". Empty entries are left out.
inline std::vector<NamePattern> name_patterns(const std::string& list) {
  std::vector<NamePattern> out;
  for (const std::string& part : parts_of(list, ',')) {
    const size_t begin = part.find_first_not_of(" \t\n"), end = part.find_last_not_of(" \t\n");
    if (begin == std::string::npos) continue;
    const std::string entry = part.substr(begin, end - begin + 1);
    const size_t colon = entry.find(':');
    out.push_back({entry.substr(0, colon), colon == std::string::npos ? "" : entry.substr(colon + 1)});
  }
  return out;
}

class ParameterOptions {
 public:
  explicit ParameterOptions(const Args& args)
      : freeze_(name_patterns(args.text("freeze"))),
        lr_scale_(name_patterns(args.text("lr_scale"))),
        decay_norms_(args.flag("decay_norms")) {
    for (NamePattern& each : freeze_) {
      if (!each.value.empty()) throw Error(LEVIN_E_INVALID, "--model.freeze: '" + each.pattern + "' takes no value");
      if (each.pattern[0] == '!') each = {each.pattern.substr(1), "!"};
    }
    for (const NamePattern& each : lr_scale_) {
      double factor = 0;
      if (!read_number(each.value, factor) || factor < 0 || factor > 1e6)
        throw Error(LEVIN_E_INVALID, "--model.lr_scale: '" + each.pattern + (each.value.empty() ? "" : ":") +
                                         each.value + "' is not NAME:FACTOR, such as features:0.1");
      factors_.push_back(factor);
    }
  }

  static std::vector<levin_option> declared() {
    return {text("freeze", "", "parameters that are not trained, by name, module or pattern: \"*, !fc\" = all but fc"),
            text("lr_scale", "", "factors of the learning rate by name, module or pattern: \"features:0.1, fc:2\""),
            flag("decay_norms", "true", "apply weight decay also to parameters of one dimension: norms and biases"),
            choice("init", "default", "initialisation of weights; default = the network's own", initialisers)};
  }

  // Returns for each parameter whether it is frozen. The last pattern that names it decides. Throws Error for a pattern
  // that names none.
  std::vector<bool> frozen(const std::vector<std::string>& names) const {
    std::vector<bool> out(names.size(), false);
    for (const NamePattern& each : freeze_) {
      bool used = false;
      for (size_t i = 0; i < names.size(); ++i)
        if (names_parameter(each.pattern, names[i])) out[i] = each.value != "!", used = true;
      if (!used) refuse("freeze", each.pattern, names);
    }
    if (!names.empty() && std::find(out.begin(), out.end(), false) == out.end())
      throw Error(LEVIN_E_INVALID, "--model.freeze freezes all parameters, so there is nothing to train");
    return out;
  }

  // Returns the groups of the optimizer, each with the learning rate lr times its factor; none if all parameters are
  // treated alike. Throws Error for a pattern of lr_scale that names no parameter.
  std::vector<ParameterGroup> groups(const std::vector<ParameterFacts>& parameters, double lr, bool decays) const {
    const bool splits_norms = decays && !decay_norms_;
    if (lr_scale_.empty() && !splits_norms) return {};
    std::vector<std::string> names;
    for (const ParameterFacts& each : parameters) names.push_back(each.name);
    for (const NamePattern& each : lr_scale_)
      if (std::none_of(names.begin(), names.end(),
                       [&](const auto& name) { return names_parameter(each.pattern, name); }))
        refuse("lr_scale", each.pattern, names);
    std::vector<ParameterGroup> out;
    for (const ParameterFacts& each : parameters) {
      if (!each.is_trained) continue;
      const size_t scale = scale_of(each.name);
      const bool undecayed = splits_norms && each.is_vector;
      const std::string name =
          (scale < lr_scale_.size() ? lr_scale_[scale].pattern : "others") + (undecayed ? "_undecayed" : "");
      auto group = std::find_if(out.begin(), out.end(), [&](const ParameterGroup& g) { return g.name == name; });
      if (group == out.end()) {
        out.push_back({name, {}, {{"lr", scale < factors_.size() ? lr * factors_[scale] : lr}}});
        group = out.end() - 1;
        if (undecayed) group->options.emplace_back("weight_decay", 0.0);
      }
      group->globs.push_back(each.name);
    }
    return out;
  }
  // Returns the learning rate of a group of groups(lr).
  double lr_of(const ParameterGroup& group, double lr) const {
    const size_t scale = scale_of(group.globs.front());
    return scale < factors_.size() ? lr * factors_[scale] : lr;
  }

 private:
  // Returns the index of the last pattern of lr_scale that names the parameter; their number if none does.
  size_t scale_of(const std::string& name) const {
    for (size_t i = lr_scale_.size(); i-- > 0;)
      if (names_parameter(lr_scale_[i].pattern, name)) return i;
    return lr_scale_.size();
  }
  [[noreturn]] static void refuse(const char* option, const std::string& pattern,
                                  const std::vector<std::string>& names) {
    std::string known;
    for (const std::string& name : names)
      if (known.size() < 200) known += (known.empty() ? "" : ", ") + name;
    throw Error(LEVIN_E_INVALID, "--model." + std::string(option) + ": the network has no parameter '" + pattern +
                                     "'; its first are: " + known);
  }

  std::vector<NamePattern> freeze_, lr_scale_;
  std::vector<double> factors_;  // of lr_scale_
  bool decay_norms_;
};

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
