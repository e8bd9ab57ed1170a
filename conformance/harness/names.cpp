#include "conformance/harness/names.hpp"

#include <cctype>
#include <map>

namespace conformance {
namespace {

const std::map<std::string, std::string> irregular = {
    {"SGD", "sgd"},
    {"AdamW", "adamw"},
    {"RMSprop", "rmsprop"},
    {"LBFGS", "lbfgs"},
    {"ReduceLROnPlateau", "reduce_on_plateau"},
    {"OneCycleLR", "one_cycle"},
    {"TQDMProgressBar", "progress_bar"},
    {"CSVLogger", "csv"},
    {"TensorBoardLogger", "tensorboard"},
};

bool ends_with_lr(const std::string& name) { return name.size() > 2 && name.compare(name.size() - 2, 2, "LR") == 0; }

}  // namespace

std::string component_id(const std::string& class_name) {
  const auto found = irregular.find(class_name);
  if (found != irregular.end()) return found->second;
  const std::string name = ends_with_lr(class_name) ? class_name.substr(0, class_name.size() - 2) : class_name;
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool upper = std::isupper(static_cast<unsigned char>(name[i])) != 0;
    if (upper && i > 0) out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return out;
}

bool is_number_text(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace conformance
