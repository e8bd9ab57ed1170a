// The state of a component: values by key, kept in checkpoints by the host. Each component has its own keys.
#pragma once
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "levin/error.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

namespace detail {

// The type of a value, which is saved beside it under the key with a '#' before it.
template <class T>
std::string type_of_state() {
  const std::string bits = std::to_string(8 * sizeof(T));
  if (std::is_same_v<T, bool>) return "bool";
  if (std::is_floating_point_v<T>) return "float" + bits;
  return (std::is_unsigned_v<T> ? "uint" : "int") + bits;
}
template <class T>
std::string type_of_states() {
  return "a list of " + type_of_state<T>();
}
inline std::string type_key(const char* key) { return std::string("#") + (key ? key : ""); }
inline void require_state_key(const char* key) {
  if (!key || !*key) throw Error(LEVIN_E_INVALID, "the key of a state is empty; it names the value in checkpoints");
  if (*key == '#')
    throw Error(LEVIN_E_INVALID, std::string("the key of a state is '") + key + "'; those that begin with # are taken");
}

}  // namespace detail

// Borrowed for the call of save, on its thread. put copies the value and replaces an earlier value of the key.
class Writer {
 public:
  explicit Writer(const levin_writer* raw) : raw_(raw) {}
  void put(const char* key, const void* data, size_t n) const { put_as("bytes", key, data, n); }
  void put(const char* key, const std::string& text) const { put_as("text", key, text.data(), text.size()); }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  void put(const char* key, T value) const {
    put_as(detail::type_of_state<T>(), key, &value, sizeof value);
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  void put(const char* key, const std::vector<T>& values) const {
    put_as(detail::type_of_states<T>(), key, values.data(), values.size() * sizeof(T));
  }
  void put_tensor(const char* key, levin_tensor* tensor) const {
    detail::require_state_key(key);
    detail::check(raw_->put_tensor(raw_, key, tensor), key);
  }
  const levin_writer* raw() const { return raw_; }

 private:
  void put_as(const std::string& type, const char* key, const void* data, size_t n) const {
    detail::require_state_key(key);
    detail::check(raw_->put(raw_, key, data, n), key);
    detail::check(raw_->put(raw_, detail::type_key(key).c_str(), type.data(), type.size()), key);
  }
  const levin_writer* raw_;
};

// Borrowed for the call of load, on its thread. get returns false if the key is missing, and throws Error
// (LEVIN_E_STATE) if the value has another type or size.
class Reader {
 public:
  explicit Reader(const levin_reader* raw) : raw_(raw) {}
  bool get(const char* key, std::string& out) const {
    const void* data;
    size_t n;
    if (!find(key, "text", data, n)) return false;
    out.assign(static_cast<const char*>(data), n);
    return true;
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  bool get(const char* key, T& out) const {
    const void* data;
    size_t n;
    if (!find(key, detail::type_of_state<T>(), data, n)) return false;
    if (n != sizeof out) refuse_size(key, n, detail::type_of_state<T>());
    std::memcpy(&out, data, n);
    return true;
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  bool get(const char* key, std::vector<T>& out) const {
    const void* data;
    size_t n;
    if (!find(key, detail::type_of_states<T>(), data, n)) return false;
    if (n % sizeof(T) != 0) refuse_size(key, n, detail::type_of_states<T>());
    out.resize(n / sizeof(T));
    if (n) std::memcpy(out.data(), data, n);
    return true;
  }
  // Hands over one reference, which the caller must release. Returns false if the key is missing.
  bool get_tensor(const char* key, levin_tensor** out) const {
    detail::require_state_key(key);
    return there(raw_->get_tensor(raw_, key, out), key);
  }
  std::string version() const { return raw_->version ? raw_->version : ""; }  // of the component that wrote the state
  const levin_reader* raw() const { return raw_; }

 private:
  bool find(const char* key, const std::string& type, const void*& data, size_t& n) const {
    detail::require_state_key(key);
    if (raw_->get(raw_, detail::type_key(key).c_str(), &data, &n) == LEVIN_OK) {
      const std::string kept(static_cast<const char*>(data), n);
      if (kept != type && kept != "bytes")
        throw Error(LEVIN_E_STATE,
                    std::string("the state '") + key + "' was put as " + kept + ", and is read as " + type);
    }
    return there(raw_->get(raw_, key, &data, &n), key);
  }
  static bool there(levin_status status, const char* key) {
    if (status != LEVIN_E_NOT_FOUND) detail::check(status, key);
    return status == LEVIN_OK;
  }
  [[noreturn]] static void refuse_size(const char* key, size_t n, const std::string& type) {
    throw Error(LEVIN_E_STATE,
                std::string("the state '") + key + "' has " + std::to_string(n) + " bytes, and is read as " + type);
  }
  const levin_reader* raw_;
};

}  // namespace levin
#pragma GCC visibility pop
