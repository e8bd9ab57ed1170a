// The state of a component: values by key, which the host keeps in checkpoints. Keys are the component's own.
#pragma once
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "levin/error.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// Borrowed for the call of save, on its thread. It copies values, and replaces what was put under the same key before.
class Writer {
 public:
  explicit Writer(const levin_writer* raw) : raw_(raw) {}
  void put(const char* key, const void* data, size_t n) const { detail::check(raw_->put(raw_, key, data, n), key); }
  void put(const char* key, const std::string& text) const { put(key, text.data(), text.size()); }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  void put(const char* key, T value) const {
    put(key, &value, sizeof value);
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  void put(const char* key, const std::vector<T>& values) const {
    put(key, values.data(), values.size() * sizeof(T));
  }
  void put_tensor(const char* key, levin_tensor* tensor) const {
    detail::check(raw_->put_tensor(raw_, key, tensor), key);
  }
  const levin_writer* raw() const { return raw_; }

 private:
  const levin_writer* raw_;
};

// Borrowed for the call of load, on its thread. get returns false if the key is absent, and throws Error
// (LEVIN_E_STATE) if the value has another size.
class Reader {
 public:
  explicit Reader(const levin_reader* raw) : raw_(raw) {}
  bool get(const char* key, std::string& out) const {
    const void* data;
    size_t n;
    if (!find(key, data, n)) return false;
    out.assign(static_cast<const char*>(data), n);
    return true;
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  bool get(const char* key, T& out) const {
    const void* data;
    size_t n;
    if (!find(key, data, n)) return false;
    if (n != sizeof out) throw Error(LEVIN_E_STATE, std::string("state '") + key + "' has another size");
    std::memcpy(&out, data, n);
    return true;
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  bool get(const char* key, std::vector<T>& out) const {
    const void* data;
    size_t n;
    if (!find(key, data, n)) return false;
    if (n % sizeof(T) != 0) throw Error(LEVIN_E_STATE, std::string("state '") + key + "' has another size");
    out.resize(n / sizeof(T));
    if (n) std::memcpy(out.data(), data, n);
    return true;
  }
  // Hands one reference over: release it.
  bool get_tensor(const char* key, levin_tensor** out) const { return raw_->get_tensor(raw_, key, out) == LEVIN_OK; }
  std::string version() const { return raw_->version ? raw_->version : ""; }  // of the component that wrote it
  const levin_reader* raw() const { return raw_; }

 private:
  bool find(const char* key, const void*& data, size_t& n) const { return raw_->get(raw_, key, &data, &n) == LEVIN_OK; }
  const levin_reader* raw_;
};

}  // namespace levin
#pragma GCC visibility pop
