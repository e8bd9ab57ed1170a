// Checks media before loggers get them, so that an error names the component that sent them and not a logger.
#pragma once
#include <ATen/core/Tensor.h>

#include "sdk/include/levin/abi.h"

namespace levin::core {

// The media in the form for loggers: with a step, and the view in row-major order on the CPU. Borrows everything else
// from `given`. Throws Error{usage}, which names kind and tag, for media that no logger could show. Unknown kinds pass.
class CheckedMedia {
 public:
  // step_now: the step of metrics logged now.
  CheckedMedia(const levin_media& given, int64_t step_now);
  CheckedMedia(const CheckedMedia&) = delete;
  CheckedMedia& operator=(const CheckedMedia&) = delete;
  const levin_media& get() const { return media_; }

 private:
  void take_view(const levin_view& view);
  levin_media media_{};
  levin_view view_{};
  at::Tensor copy_;  // used if the view has another order or device
};

}  // namespace levin::core
