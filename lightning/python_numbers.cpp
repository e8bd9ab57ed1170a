#include "lightning/optimizer_of_python.hpp"

#include <set>
#include <stdexcept>

namespace levin::core {
namespace {

using Names = std::vector<std::string>;

std::string of_group(size_t group) { return "group " + std::to_string(group); }

// Python numbers parameters in the order of the modules. If two parameters of the same shape were in a different order,
// they would be swapped without notice.
void check_order(const Names& names, const Names& file) {
  std::map<std::string, size_t> places;
  for (const std::string& name : file) places.emplace(name, places.size());
  size_t last = 0;
  for (const std::string& name : names) {
    const auto place = places.find(name);
    if (place == places.end())
      throw std::runtime_error("'" + name + "' is not in the file's state_dict, so its state is not known");
    if (place->second < last)
      throw std::runtime_error("'" + name +
                               "' comes later in the model's order of parameters than in the file's, whose "
                               "states have only numbers; they have names if Python's optimizer is made of "
                               "model.named_parameters()");
    last = place->second;
  }
}

Names by_their_names(const PythonGroup& saved, const NameMap& map) {
  Names out;
  for (const std::string& name : saved.param_names) out.push_back(map(name).value_or(""));
  return out;
}

Names names_of(const PythonGroup& saved, const ParamGroup& group, size_t index, size_t groups,
               const NamesOfFile& names) {
  if (!saved.param_names.empty()) return by_their_names(saved, names.map);
  const size_t n = saved.params.size();
  if (n == group.names.size()) {
    check_order(group.names, names.parameters);
    return group.names;
  }
  // Python also numbers frozen parameters, if the optimizer was given all of them.
  if (groups == 1 && n == names.parameters.size()) return names.parameters;
  throw std::runtime_error(of_group(index) + " has " + std::to_string(n) + " parameters, and here it has " +
                           std::to_string(group.names.size()));
}

void check_all_there(const Names& wanted, const Names& given, size_t group) {
  const std::set<std::string> there(given.begin(), given.end());
  for (const std::string& name : wanted)
    if (there.count(name) == 0)
      throw std::runtime_error(of_group(group) + " has no '" + name + "', which is in it here");
}

}  // namespace

std::map<int64_t, std::string> names_of_numbers(const PythonOptimizerState& saved,
                                                const std::vector<ParamGroup>& groups, const NamesOfFile& names) {
  if (saved.groups.size() != groups.size())
    throw std::runtime_error("it has " + std::to_string(saved.groups.size()) +
                             " parameter groups, and here there are " + std::to_string(groups.size()));
  std::map<int64_t, std::string> out;
  for (size_t g = 0; g < groups.size(); ++g) {
    const Names of_numbers = names_of(saved.groups[g], groups[g], g, groups.size(), names);
    check_all_there(groups[g].names, of_numbers, g);
    for (size_t i = 0; i < of_numbers.size(); ++i) out[saved.groups[g].params[i]] = of_numbers[i];
  }
  return out;
}

}  // namespace levin::core
