// The element types of files as LibTorch's.
#pragma once
#include <c10/core/ScalarType.h>

#include <string>

namespace levin::core {

// The code of safetensors, "F32". Throws Error{checkpoint} that names the tensor if checkpoints do not hold the type.
const char* code_of(at::ScalarType type, const std::string& tensor);
// Throws Error{checkpoint} that begins with `where` if LibTorch has no such type.
at::ScalarType scalar_type_of(const std::string& code, const std::string& where);

}  // namespace levin::core
