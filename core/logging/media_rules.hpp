// What a component may give loggers to show. The rules are checked here, so that a mistake is told to whoever made it
// and not to a logger.
#pragma once
#include <ATen/core/Tensor.h>

#include "sdk/include/levin/abi.h"

namespace levin::core {

// The media in the form that loggers get: with a step, and its view in row-major order on the CPU. Borrows everything
// else from `given`. Throws Error{usage}, which names kind and tag, for what no logger could show. Kinds that are not
// known pass.
class CheckedMedia {
 public:
  // step_now: of metrics that are logged now.
  CheckedMedia(const levin_media& given, int64_t step_now);
  CheckedMedia(const CheckedMedia&) = delete;
  CheckedMedia& operator=(const CheckedMedia&) = delete;
  const levin_media& get() const { return media_; }

 private:
  void take_view(const levin_view& view);
  levin_media media_{};
  levin_view view_{};
  at::Tensor copy_;  // where the view had another order or device
};

}  // namespace levin::core
