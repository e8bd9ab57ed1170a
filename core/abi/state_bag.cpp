#include "core/abi/state_bag.hpp"

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"

namespace levin::core {

levin_writer StateBag::writer() {
  levin_writer w{};
  w.size = sizeof w;
  w.ctx = this;
  w.put = [](const levin_writer* self, const char* key, const void* data, size_t n) {
    return serve([&] {
      static_cast<StateBag*>(self->ctx)->bytes_[key] =
          n ? std::string(static_cast<const char*>(data), n) : std::string();
    });
  };
  w.put_tensor = [](const levin_writer* self, const char* key, levin_tensor* tensor) {
    return serve(
        [&] { static_cast<StateBag*>(self->ctx)->tensors_[key] = retain(tensor).detach().cpu().contiguous().clone(); });
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
      const auto& bytes = static_cast<const StateBag*>(self->ctx)->bytes_;
      const auto found = bytes.find(key);
      if (found == bytes.end()) return LEVIN_E_NOT_FOUND;
      *data = found->second.data();
      *n = found->second.size();
      return LEVIN_OK;
    });
  };
  r.get_tensor = [](const levin_reader* self, const char* key, levin_tensor** out) {
    return serve([&] {
      const auto& tensors = static_cast<const StateBag*>(self->ctx)->tensors_;
      const auto found = tensors.find(key);
      if (found == tensors.end()) return LEVIN_E_NOT_FOUND;
      *out = release(found->second);
      return LEVIN_OK;
    });
  };
  return r;
}

}  // namespace levin::core
