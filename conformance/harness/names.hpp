// Converts PyTorch's and Lightning's class names to Levin's component ids.
#pragma once
#include <string>

namespace conformance {

// "EarlyStopping" -> "early_stopping", "StepLR" -> "step", "SGD" -> "sgd". Unknown names are returned unchanged.
std::string component_id(const std::string& class_name);
// Returns true if the text consists of digits. Levin reads such text as a number; Lightning distinguishes 7 and "7".
bool is_number_text(const std::string& text);

}  // namespace conformance
