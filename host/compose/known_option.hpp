// All options of a run by dotted key, and their short names.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "host/compose/claims.hpp"

namespace levin::core {

struct KnownOption {
  std::string key;  // "trainer.max_epochs"
  OptionSchema schema;
  bool bare = false;  // may be given without a value, which means true
  bool list = false;  // may be given more than once; the items are merged
};

class KnownOptions {
 public:
  KnownOptions(const Composition& composition, const Claims& claims);

  const std::vector<KnownOption>& all() const { return all_; }
  const KnownOption* find(const std::string& key) const;  // also finds former names
  // Returns the keys of the options with this short name. Options of callbacks and loggers count only if no option of
  // the model, the data module or the Trainer has the name. Former names count only if no option has the name; their
  // keys are the former keys.
  std::vector<std::string> meanings(const std::string& short_name) const;
  std::vector<std::string> keys() const;
  const std::vector<std::string>& former_keys() const { return former_; }  // keys of former names: "model.width"

 private:
  void add(const std::string& group, const OptionSchema& schema, bool alone, bool list = false);
  std::vector<KnownOption> all_;
  std::map<std::string, size_t> index_;
  std::map<std::string, std::vector<std::string>> short_, short_of_instances_, short_former_;
  std::vector<std::string> former_;
};

}  // namespace levin::core
