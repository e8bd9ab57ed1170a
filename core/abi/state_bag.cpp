#include "core/abi/state_bag.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"

namespace levin::core {

namespace {

void require_key(const char* key) {
  if (!key || !*key)
    throw Error(ErrorCode::call_invalid, std::string("the key of a state is ") + (key ? "empty" : "null") +
                                             "; it names the value in checkpoints");
}

std::string tensor_text(const at::Tensor& tensor) {
  std::ostringstream out;
  out << "a tensor of " << dtype_text(dtype_of(tensor.scalar_type())) << ' ' << tensor.sizes();
  return out.str();
}

// Returns the key of the value whose type is stored under this key ("#KEY"), or nullptr for other keys.
const char* typed_key(const char* key) { return key[0] == '#' && key[1] ? key + 1 : nullptr; }

// Returns the type's name. Throws Error{usage} unless it is short and printable, because checkpoint manifests contain
// it.
std::string type_text(const char* key, const std::string& text) {
  const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (text.size() <= 64 && std::all_of(text.begin(), text.end(), printable)) return text;
  throw Error(ErrorCode::call_invalid,
              std::string("the state '") + key + "': a key that begins with # has the type of a value");
}

// Throws Error{run}: the value exists, but as bytes instead of a tensor or the reverse.
[[noreturn]] void refuse_kind(const char* key, const std::string& kept, const char* asked) {
  throw Error(ErrorCode::service_misused,
              std::string("the state '") + key + "' was put as " + kept + ", and is read as " + asked);
}

}  // namespace

levin_writer StateBag::writer() {
  levin_writer w{};
  w.size = sizeof w;
  w.ctx = this;
  w.put = [](const levin_writer* self, const char* key, const void* data, size_t n) {
    return serve([&] {
      require_key(key);
      auto& bag = *static_cast<StateBag*>(self->ctx);
      std::string bytes = n ? std::string(static_cast<const char*>(data), n) : std::string();
      if (const char* typed = typed_key(key)) {
        bag.types_[typed] = type_text(key, bytes);
        return;
      }
      bag.tensors_.erase(key);
      bag.types_.erase(key);
      bag.bytes_[key] = std::move(bytes);
    });
  };
  w.put_tensor = [](const levin_writer* self, const char* key, levin_tensor* tensor) {
    return serve([&] {
      require_key(key);
      auto& bag = *static_cast<StateBag*>(self->ctx);
      bag.tensors_[key] = retain(tensor).detach().cpu().contiguous().clone();
      bag.bytes_.erase(key);
      bag.types_.erase(key);
    });
  };
  return w;
}

levin_reader StateBag::reader(const char* plugin_version) const {
  levin_reader r{};
  r.size = sizeof r;
  r.ctx = const_cast<StateBag*>(this);
  r.version = plugin_version;
  r.get = [](const levin_reader* self, const char* key, const void** data, size_t* n) {
    return serve([&] {
      require_key(key);
      const auto& bag = *static_cast<const StateBag*>(self->ctx);
      const char* typed = typed_key(key);
      const auto& values = typed ? bag.types_ : bag.bytes_;
      const auto found = values.find(typed ? typed : key);
      if (found == values.end()) {
        if (const auto tensor = bag.tensors_.find(key); tensor != bag.tensors_.end())
          refuse_kind(key, tensor_text(tensor->second), "bytes (get_tensor reads tensors)");
        return LEVIN_E_NOT_FOUND;
      }
      *data = found->second.data();
      *n = found->second.size();
      return LEVIN_OK;
    });
  };
  r.get_tensor = [](const levin_reader* self, const char* key, levin_tensor** out) {
    return serve([&] {
      require_key(key);
      const auto& bag = *static_cast<const StateBag*>(self->ctx);
      const auto found = bag.tensors_.find(key);
      if (found == bag.tensors_.end()) {
        if (const auto bytes = bag.bytes_.find(key); bytes != bag.bytes_.end())
          refuse_kind(key, std::to_string(bytes->second.size()) + " bytes", "a tensor");
        return LEVIN_E_NOT_FOUND;
      }
      *out = release(found->second);
      return LEVIN_OK;
    });
  };
  return r;
}

}  // namespace levin::core
