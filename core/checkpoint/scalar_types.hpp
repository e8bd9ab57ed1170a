// Converts between the element types of safetensors files and of LibTorch.
#pragma once
#include <c10/core/ScalarType.h>

#include <string>

namespace levin::core {

// Returns the safetensors code, such as "F32". Throws Error{checkpoint} that names the tensor if checkpoints do not
// support the type.
const char* code_of(at::ScalarType type, const std::string& tensor);
// Throws Error{checkpoint}, whose message begins with `where`, if LibTorch has no such type.
at::ScalarType scalar_type_of(const std::string& code, const std::string& where);

}  // namespace levin::core
