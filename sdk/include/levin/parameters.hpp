// levin::parameters: the model's parameters, chosen by patterns of their names.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "levin/run.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

struct Parameter {
  std::string name;    // "features.0.weight"
  OwnedTensor tensor;  // the model's own
};

// Returns true if the pattern names the parameter: a glob, in which * stands for any text and ? for a character
// ("*.bias"), or the name of the parameter or of a module that has it ("features").
inline bool names_parameter(const std::string& pattern, const std::string& parameter) {
  size_t p = 0, n = 0, star = std::string::npos, after_star = 0;
  while (n < parameter.size()) {
    if (p == pattern.size() && parameter[n] == '.' && pattern.find_first_of("*?") == std::string::npos) return true;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == parameter[n])) {
      ++p, ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++after_star;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// Returns the parameters that a pattern names, in the model's order. Throws Error if a pattern names none.
inline std::vector<Parameter> parameters(const Run& run, const std::vector<std::string>& patterns = {"*"}) {
  struct Context {
    const levin_host* host;
    std::vector<Parameter> all;
  } context{run.host(), {}};
  levin_visitor visitor{sizeof visitor, 0, &context, nullptr};
  visitor.tensor = [](const levin_visitor* v, const char* name, levin_tensor* tensor, uint32_t kind) -> levin_status {
    auto& c = *static_cast<Context*>(v->ctx);
    if (kind == LEVIN_PARAMETER) c.all.push_back({name, OwnedTensor::keep(c.host, tensor)});
    return LEVIN_OK;
  };
  detail::check(run.params().visit(run.raw(), &visitor), "visit");
  std::vector<bool> used(patterns.size(), false);
  std::vector<Parameter> out;
  std::string known;
  for (Parameter& parameter : context.all) {
    if (known.size() < 200) known += (known.empty() ? "" : ", ") + parameter.name;
    bool named = false;
    for (size_t i = 0; i < patterns.size(); ++i)
      if (names_parameter(patterns[i], parameter.name)) named = used[i] = true;
    if (named) out.push_back(std::move(parameter));
  }
  for (size_t i = 0; i < patterns.size(); ++i)
    if (!used[i])
      throw Error(LEVIN_E_INVALID, "the model has no parameter '" + patterns[i] +
                                       (known.empty() ? "': it has none at all" : "'; its first are: " + known));
  return out;
}

}  // namespace levin
#pragma GCC visibility pop
