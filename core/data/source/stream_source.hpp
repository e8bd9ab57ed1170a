// The rows of a stream.
#pragma once
#include "core/data/source/row_source.hpp"
#include "core/data/source/tensor_call.hpp"

namespace levin::core {

// The plugin provides one batch after another and decides when the epoch ends.
class StreamSource : public RowSource {
 public:
  explicit StreamSource(LoaderPlace place) : place_(place), call_(place, "next") {}
  const char* call() const override { return "next"; }
  bool is_stream() const override { return true; }
  void rewind(const Fetch& fetch) override;
  bool rewinds() const override;
  bool fetch(const Fetch& fetch, BatchSlot& slot) override;

 private:
  void check_size(int64_t most, const std::vector<at::Tensor>& tensors) const;

  LoaderPlace place_;
  TensorCall call_;
};

}  // namespace levin::core
