// PyTorch's and Lightning's class names as Levin's component ids.
#pragma once
#include <string>

namespace conformance {

// "EarlyStopping" -> "early_stopping", "StepLR" -> "step", "SGD" -> "sgd"; an unknown name stays as it is.
std::string component_id(const std::string& class_name);
// "7": a number to Levin, whose options are texts; Lightning tells 7 from "7".
bool is_number_text(const std::string& text);

}  // namespace conformance
