// The names of checkpoint files: "{epoch:02d}-{val_loss:.2f}" -> "epoch=03-val_loss=0.12".
#pragma once
#include <map>
#include <optional>
#include <string>

#include "format_spec.hpp"

namespace levin::model_checkpoint {

using Candidates = std::map<std::string, Number>;  // what a template may name, "epoch" and "step" among them

struct FileName {
  std::string pattern;  // {metric:format}; empty: {epoch}-{step}
  bool auto_insert_metric_name = true;
  std::string join = "-", equals = "=", extension = ".ckpt";

  // The name without folder, version and extension. A metric that is absent counts as 0.
  // Throws Error where the template or a format is wrong.
  std::string name(const Candidates& metrics, const std::optional<std::string>& prefix = std::nullopt) const;

  // The whole path. version: the number behind -v. An empty folder: the bare file name.
  std::string path(const std::string& folder, const Candidates& metrics, std::optional<int> version = std::nullopt,
                   const std::optional<std::string>& prefix = std::nullopt) const;
};

}  // namespace levin::model_checkpoint
