// What the help says of one option.
#pragma once
#include <string>
#include <vector>

#include "core/config/schema.hpp"
#include "core/plugin/plugin_index.hpp"

namespace levin::core {

// prefix: the text before the option's name; type: what describe_type() says of it.
void print_option(const std::string& prefix, const OptionSchema& option, const std::string& type);
void print_claim(const ComponentSchema& component, const ClaimSchema& claim);
// What stands before the name of a component's option on the command line; nothing for optimizers, whose options models
// set with plan.optimizer().
std::string option_prefix(const ComponentSchema& component);

// Prints options by their name: "max_epochs" or "trainer.max_epochs".
class OptionsNamed {
 public:
  explicit OptionsNamed(std::string name);
  // Whether there is one.
  bool print(PluginIndex& index);
  // The names of all options, once print() has looked for one.
  const std::vector<std::string>& all() const { return all_; }

 private:
  void print_of(const ComponentSchema& component);
  bool is_called(const std::string& group, const OptionSchema& option);
  std::string name_;
  bool found_ = false;
  std::vector<std::string> all_;
};

}  // namespace levin::core
