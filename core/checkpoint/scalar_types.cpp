#include "core/checkpoint/scalar_types.hpp"

#include "core/base/error.hpp"

namespace levin::core {
namespace {

struct TypeCode {
  at::ScalarType type;
  const char* code;
};
constexpr TypeCode type_codes[] = {
    {at::kFloat, "F32"}, {at::kDouble, "F64"}, {at::kHalf, "F16"}, {at::kBFloat16, "BF16"}, {at::kLong, "I64"},
    {at::kInt, "I32"},   {at::kShort, "I16"},  {at::kChar, "I8"},  {at::kByte, "U8"},       {at::kBool, "BOOL"}};

}  // namespace

const char* code_of(at::ScalarType type, const std::string& tensor) {
  for (const TypeCode& known : type_codes)
    if (known.type == type) return known.code;
  throw Error(ErrorCode::checkpoint_not_writable,
              "tensor '" + tensor + "' is of type " + c10::toString(type) + ", which checkpoints cannot hold");
}

at::ScalarType scalar_type_of(const std::string& code, const std::string& where) {
  for (const TypeCode& known : type_codes)
    if (code == known.code) return known.type;
  std::string known;
  for (const TypeCode& type : type_codes) known += (known.empty() ? "" : ", ") + std::string(type.code);
  throw Error(ErrorCode::checkpoint_format_unsupported,
              where + ": weights of element type " + code + " are not loaded; loaded are " + known);
}

}  // namespace levin::core
