#include "host/compose/run_builder.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/trainer_options.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

struct Line {
  std::string key, value, comment;
};

std::string padding(size_t n) { return std::string(n, ' '); }

// Returns the members of an object as text, with the comments aligned in a column.
std::string members(const std::vector<Line>& lines, size_t indent) {
  size_t width = 0;
  for (const auto& line : lines) width = std::max(width, std::min<size_t>(line.key.size() + line.value.size(), 60));
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t used = lines[i].key.size() + lines[i].value.size();
    out += padding(indent) + json(lines[i].key).dump() + ": " + lines[i].value + (i + 1 < lines.size() ? "," : " ");
    if (!lines[i].comment.empty()) out += padding(used < width ? width - used + 2 : 2) + "// " + lines[i].comment;
    out += "\n";
  }
  return out;
}

std::string text(const json& v) { return v.dump(-1, ' ', false, json::error_handler_t::replace); }

class Printer {
 public:
  explicit Printer(const BuiltRun& run) : run_(run) {}

  std::string print() {
    std::string out = "{\n";
    out += "  \"model\": " + component("model", 2) + ",\n";
    out += "  \"data\": " + (run_.config.data ? component("data", 2) : "null") + ",\n";
    out += "  \"callback\": " + instances("callback") + ",\n";
    out += "  \"logger\": " + instances("logger") + ",\n";
    out += "  \"trainer\": {\n" + members(trainer(), 4) + "  },\n";
    const auto& ckpt = run_.values.at("ckpt_path");
    return out + "  \"ckpt_path\": " + text(ckpt.value) + "  // " + ckpt.origin + "\n}\n";
  }

 private:
  std::string component(const std::string& key, size_t indent) const {
    const ChosenComponent& chosen = *run_.composition.find(key);
    std::vector<Line> lines = {{"component", text(chosen.found.file + ":" + chosen.schema().id), chosen.origin}};
    std::vector<std::string> secret;
    for (const auto& option : chosen.schema().options) {
      if (option.flags & LEVIN_OPT_SECRET) {
        secret.push_back(option.name + " is a secret and not shown: " + run_.values.at(key + "." + option.name).origin);
      } else {
        add(lines, key, option.name);
      }
    }
    if (key == "data") {
      for (const auto& option : loader_options()) {
        const std::string& name = option.schema.name;
        const auto own = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.key == name; });
        if (own == lines.end()) add(lines, key, name);
      }
    }
    if (key == "model")
      for (const OptionSchema& option : weight_options()) add(lines, key, option.name);
    std::string out = "{\n";
    for (const auto& line : secret) out += padding(indent + 2) + "// " + line + "\n";
    return out + members(lines, indent + 2) + padding(indent) + "}";
  }

  void add(std::vector<Line>& lines, const std::string& key, const std::string& name) const {
    const auto& shown = run_.values.at(key + "." + name);
    lines.push_back({name, text(shown.value), shown.origin});
  }

  std::string instances(const std::string& group) const {
    std::string out = "{";
    std::vector<std::string> parts;
    for (const auto& chosen : run_.composition.components) {
      if (chosen.group != group) continue;
      if (chosen.off.empty()) parts.push_back("\n    " + json(chosen.name).dump() + ": " + component(chosen.key(), 4));
      if (chosen.removed) parts.push_back("\n    " + json(chosen.name).dump() + ": false");
      if (!chosen.off.empty() && !chosen.removed) out += "\n    // " + chosen.name + " is off: " + chosen.off;
    }
    return out + join(parts, ",") + "\n  }";
  }

  std::vector<Line> trainer() const {
    std::vector<Line> lines;
    for (const auto& option : trainer_options()) add(lines, "trainer", option.schema.name);
    for (const auto& [key, shown] : run_.values) {
      const std::string name = after_group(key);
      if (group_of(key) == "trainer" && find_trainer_option(name) == nullptr)
        lines.push_back({name, text(shown.value), shown.origin});
    }
    return lines;
  }

  const BuiltRun& run_;
};

}  // namespace

std::string print_config(const BuiltRun& run) { return Printer(run).print(); }

}  // namespace levin::core
