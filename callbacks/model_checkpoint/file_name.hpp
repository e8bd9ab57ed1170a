// The names of checkpoint files: "{epoch:02d}-{val_loss:.2f}" -> "epoch=03-val_loss=0.12".
#pragma once
#include <map>
#include <optional>
#include <string>

#include "format_spec.hpp"

namespace levin::model_checkpoint {

using Candidates = std::map<std::string, Number>;  // the metrics that a pattern may name, with "epoch" and "step"

struct FileName {
  std::string pattern;  // with {metric:format}; empty = {epoch}-{step}
  bool auto_insert_metric_name = true;
  std::string join = "-", equals = "=", extension = ".ckpt";

  // Returns the name without folder, version and extension. A missing metric counts as 0. Throws Error if the pattern
  // or a format is wrong.
  std::string name(const Candidates& metrics, const std::optional<std::string>& prefix = std::nullopt) const;

  // Returns the whole path, or the bare file name if the folder is empty. version: the number after -v.
  std::string path(const std::string& folder, const Candidates& metrics, std::optional<int> version = std::nullopt,
                   const std::optional<std::string>& prefix = std::nullopt) const;
};

}  // namespace levin::model_checkpoint
