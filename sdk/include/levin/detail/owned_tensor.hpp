// levin::OwnedTensor and levin::TensorList: owners of tensors, for components without LibTorch.
#pragma once
#include <utility>
#include <vector>

#include "levin/error.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// Owns one reference to a tensor. Move-only.
class OwnedTensor {
 public:
  OwnedTensor() = default;
  // Takes ownership of a reference that the host handed over.
  OwnedTensor(const levin_host* host, levin_tensor* handed_over) : host_(host), tensor_(handed_over) {}
  // Returns a new reference to a borrowed tensor, for example of a batch, which stays valid after the hook.
  static OwnedTensor keep(const levin_host* host, levin_tensor* borrowed) {
    if (borrowed) host->tensor_retain(host, borrowed);
    return {host, borrowed};
  }
  // Returns a tensor on the CPU with a copy of row-major values.
  static OwnedTensor of(const levin_host* host, const std::vector<float>& values, std::vector<int64_t> shape) {
    levin_view view{};
    view.data = const_cast<float*>(values.data());
    view.device = {LEVIN_CPU, 0};
    view.ndim = static_cast<int32_t>(shape.size());
    view.dtype = {LEVIN_FLOAT, 32, 1};
    view.shape = shape.data();
    int64_t n = 1;
    for (const int64_t size : shape) n *= size;
    if (n != static_cast<int64_t>(values.size()))
      throw Error(LEVIN_E_INVALID,
                  "a tensor of this shape has " + std::to_string(n) + " values, not " + std::to_string(values.size()));
    levin_tensor* made = nullptr;
    detail::check(host->tensor_from_view(host, &view, &made), "a tensor cannot be made");
    return {host, made};
  }
  OwnedTensor(OwnedTensor&& other) noexcept : host_(other.host_), tensor_(std::exchange(other.tensor_, nullptr)) {}
  OwnedTensor& operator=(OwnedTensor&& other) noexcept {
    std::swap(host_, other.host_);
    std::swap(tensor_, other.tensor_);
    return *this;
  }
  ~OwnedTensor() {
    if (tensor_) host_->tensor_release(host_, tensor_);
  }

  levin_tensor* get() const { return tensor_; }  // borrowed; nullptr = none
  explicit operator bool() const { return tensor_ != nullptr; }

 private:
  const levin_host* host_ = nullptr;
  levin_tensor* tensor_ = nullptr;
};

// Owns tensors that the host handed over; releases them in its destructor.
class TensorList {
 public:
  TensorList(const levin_host* host, std::vector<levin_tensor*> tensors) : host_(host), tensors_(std::move(tensors)) {}
  TensorList(TensorList&& other) noexcept : host_(other.host_), tensors_(std::move(other.tensors_)) {
    other.tensors_.clear();
  }
  TensorList(const TensorList&) = delete;
  TensorList& operator=(const TensorList&) = delete;
  ~TensorList() {
    for (levin_tensor* tensor : tensors_) host_->tensor_release(host_, tensor);
  }
  size_t size() const { return tensors_.size(); }
  levin_tensor* operator[](size_t i) const { return tensors_.at(i); }  // borrowed
  const std::vector<levin_tensor*>& handles() const { return tensors_; }

 private:
  const levin_host* host_;
  std::vector<levin_tensor*> tensors_;
};

}  // namespace levin
#pragma GCC visibility pop
