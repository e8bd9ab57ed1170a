// Help on options, optimizers and learning-rate schedules.
#pragma once
#include <string>
#include <vector>

#include "core/config/schema.hpp"
#include "core/plugin/plugin_index.hpp"

namespace levin::core {

// prefix: the text before the option's name; type: the result of describe_type().
void print_option(const std::string& prefix, const OptionSchema& option, const std::string& type);
// Prints an option of a component, also with the value that the default configuration gives it.
void print_option_of(const ComponentSchema& component, const OptionSchema& option);
void print_claim(const ComponentSchema& component, const ClaimSchema& claim);
// Returns the prefix of a component's options on the command line. It is empty for optimizers, whose options models set
// with plan.optimizer().
std::string option_prefix(const ComponentSchema& component);

// Prints options by name: "max_epochs" or "trainer.max_epochs".
class OptionsNamed {
 public:
  explicit OptionsNamed(std::string name);
  // Returns true if an option of this name exists.
  bool print(PluginIndex& index);
  // Returns the names of all options. Call print() first.
  const std::vector<std::string>& all() const { return all_; }

 private:
  void print_of(const ComponentSchema& component);
  bool is_called(const std::string& group, const OptionSchema& option);
  std::string name_;
  bool found_ = false;
  std::vector<std::string> all_;
};

int print_schedules();                     // returns 0
int print_optimizers(PluginIndex& index);  // built-in ones and those of plugins; returns 0
// Prints the built-in optimizers and schedules with this id or class name. Returns their number.
int print_built_in_optim(const std::string& name);
// Returns the ids of all built-in optimizers and schedules.
std::vector<std::string> built_in_optim_ids();
// Returns the end of the message that nothing has this name: "; did you mean 'max_epochs'?", the names that contain the
// word, or where all names are listed.
std::string help_hint(const std::string& word, const std::vector<std::string>& ids,
                      const std::vector<std::string>& options);

}  // namespace levin::core
