#include "core/weights/torch_types.hpp"

#include <stdexcept>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view torch_module = "torch.";
constexpr TorchType torch_types[] = {{"FloatStorage", "float32", "F32"},
                                     {"DoubleStorage", "float64", "F64"},
                                     {"HalfStorage", "float16", "F16"},
                                     {"BFloat16Storage", "bfloat16", "BF16"},
                                     {"LongStorage", "int64", "I64"},
                                     {"IntStorage", "int32", "I32"},
                                     {"ShortStorage", "int16", "I16"},
                                     {"CharStorage", "int8", "I8"},
                                     {"ByteStorage", "uint8", "U8"},
                                     {"BoolStorage", "bool", "BOOL"},
                                     {"ComplexFloatStorage", "complex64", "C64"},
                                     {"", "uint16", "U16"},
                                     {"", "uint32", "U32"},
                                     {"", "uint64", "U64"},
                                     {"", "float8_e4m3fn", "F8_E4M3"},
                                     {"", "float8_e5m2", "F8_E5M2"}};

// A function that makes a tensor, and the position of the type among its arguments.
struct Maker {
  const char* name;
  size_t dtype_at;  // 0 = the storage has the type
};
constexpr Maker makers[] = {{"torch._utils._rebuild_tensor", 0},
                            {"torch._utils._rebuild_tensor_v2", 0},
                            {"torch._utils._rebuild_tensor_v3", 6}};
// Unsupported kinds of tensors, whose values are not in one storage of an element type.
struct OtherForm {
  std::string_view function;
  const char* what;
};
constexpr OtherForm other_forms[] = {
    {"torch._utils._rebuild_sparse_tensor", "it is sparse; save its to_dense()"},
    {"torch._utils._rebuild_sparse_csr_tensor", "it is sparse; save its to_dense()"},
    {"torch._utils._rebuild_qtensor", "it is quantized; save its dequantize()"},
    {"torch._utils._rebuild_nested_tensor", "it is a nested tensor; save its parts"},
    {"torch._utils._rebuild_meta_tensor_no_storage", "it is on the device meta, without values"}};
constexpr std::string_view subclass =
    "torch._tensor._rebuild_from_type_v2";  // arguments: (function, class, arguments, state)

constexpr const char* wrappers[] = {"torch._utils._rebuild_parameter",
                                    "torch._utils._rebuild_parameter_with_state"};  // of a tensor

[[noreturn]] void fail_tensor(const char* what) { throw std::runtime_error(std::string("a tensor in it has ") + what); }

std::vector<int64_t> integers(const Pickle& pickle, uint32_t value) {
  std::vector<int64_t> out;
  const PickleValue& v = pickle[value];
  if (v.kind != Kind::tuple) fail_tensor("an invalid shape");
  for (const uint32_t item : v.items) {
    if (!pickle.is(item, Kind::integer)) fail_tensor("an invalid shape");
    out.push_back(pickle[item].integer);
  }
  return out;
}

const std::string& name_of(const Pickle& pickle, uint32_t value) {
  const PickleValue& v = pickle[value];
  if (v.kind != Kind::global && v.kind != Kind::text) fail_tensor("a type that has no name");
  return v.text;
}

// Reads ("storage", type, key, device, number of elements).
void read_storage(const Pickle& pickle, uint32_t value, PickledTensor& out) {
  const PickleValue& reference = pickle[value];
  if (reference.kind != Kind::persistent || !pickle.is(reference.items[0], Kind::tuple)) fail_tensor("no storage");
  const auto& parts = pickle[reference.items[0]].items;
  if (parts.size() < 5 || !pickle.is(parts[2], Kind::text)) fail_tensor("no storage");
  if (parts.size() > 5 && !pickle.is(parts[5], Kind::none))
    fail_tensor("a view of a storage, as PyTorch before 0.4 made them");
  out.storage = pickle[parts[2]].text;
  out.storage_type = name_of(pickle, parts[1]);
}

std::optional<PickledTensor> made_by(const Pickle& pickle, const Maker& maker, uint32_t arguments) {
  const auto& args = pickle[arguments].items;
  if (args.size() < 4 || args.size() <= maker.dtype_at || !pickle.is(args[1], Kind::integer))
    fail_tensor("too few parts");
  PickledTensor out;
  read_storage(pickle, args[0], out);
  if (maker.dtype_at != 0) out.storage_type = name_of(pickle, args[maker.dtype_at]);
  out.dtype = dtype_of_torch(out.storage_type);
  out.offset = pickle[args[1]].integer;
  out.shape = integers(pickle, args[2]);
  out.strides = integers(pickle, args[3]);
  return out;
}

void refuse_other_forms(const std::string& function) {
  for (const OtherForm& other : other_forms)
    if (function == other.function) throw std::runtime_error(other.what);
  if (starts_with(function, torch_module) && function.find("._rebuild_") != std::string::npos)
    throw std::runtime_error("it was made by " + function + ", which is not supported; save a plain tensor");
}

std::optional<PickledTensor> made_by(const Pickle& pickle, const std::string& function, uint32_t arguments) {
  for (const Maker& maker : makers)
    if (function == maker.name) return made_by(pickle, maker, arguments);
  return std::nullopt;
}

// Returns a tensor of a subclass, or one with attributes, as a plain tensor.
std::optional<PickledTensor> made_of_class(const Pickle& pickle, uint32_t arguments) {
  const auto& args = pickle[arguments].items;
  if (args.size() < 3 || !pickle.is(args[0], Kind::global) || !pickle.is(args[2], Kind::tuple))
    fail_tensor("too few parts");
  const std::string& function = pickle[args[0]].text;
  const auto made = made_by(pickle, function, args[2]);
  if (!made) refuse_other_forms(function);
  return made;
}

}  // namespace

std::string dtype_of_torch(std::string_view name) {
  if (!starts_with(name, torch_module) || name == torch_module) return "";
  for (const TorchType& type : torch_types)
    if (const auto bare = name.substr(torch_module.size()); bare == type.storage || bare == type.dtype)
      return type.code;
  return "";
}

const TorchType* torch_type(std::string_view code) {
  for (const TorchType& type : torch_types)
    if (code == type.code) return &type;
  return nullptr;
}

std::optional<PickledTensor> pickled_tensor(const Pickle& pickle, uint32_t value) {
  for (int depth = 0; depth < 4; ++depth) {  // a parameter is a call with a tensor as its argument
    const PickleValue& call = pickle[value];
    if (call.kind != Kind::call || !pickle.is(call.items[0], Kind::global)) return std::nullopt;
    const std::string& function = pickle[call.items[0]].text;
    if (const auto made = made_by(pickle, function, call.items[1])) return made;
    if (function == subclass) return made_of_class(pickle, call.items[1]);
    bool wrapped = false;
    for (const char* wrapper : wrappers) wrapped = wrapped || function == wrapper;
    if (!wrapped) refuse_other_forms(function);
    if (!wrapped) return std::nullopt;
    if (pickle[call.items[1]].items.empty()) fail_tensor("too few parts");
    value = pickle[call.items[1]].items[0];
  }
  return std::nullopt;
}

}  // namespace levin::core
