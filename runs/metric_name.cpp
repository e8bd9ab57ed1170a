#include "runs/metric_name.hpp"

#include "core/base/text.hpp"

namespace levin::core {

MetricName parsed_name(const std::string& name) {
  MetricName out{name, "", ""};
  for (const char* stage : {"train", "val", "test"})
    for (const char* separator : {"_", "/"})
      if (const std::string prefix = std::string(stage) + separator;
          starts_with(out.base, prefix) && out.base.size() > prefix.size() && out.stage.empty()) {
        out.stage = stage;
        out.base = out.base.substr(prefix.size());
      }
  for (const char* kind : {"step", "epoch"})
    if (const std::string suffix = std::string("_") + kind;
        ends_with(out.base, suffix) && out.base.size() > suffix.size() && out.kind.empty()) {
      out.kind = kind;
      out.base.resize(out.base.size() - suffix.size());
    }
  return out;
}

}  // namespace levin::core
