// PyTorch's and Lightning's class names as Levin's component ids.
#pragma once
#include <string>

namespace conformance {

// "EarlyStopping" -> "early_stopping", "StepLR" -> "step", "SGD" -> "sgd"; an unknown name stays as it is.
std::string component_id(const std::string& class_name);

}  // namespace conformance
