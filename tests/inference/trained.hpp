// A checkpoint of a fit of two batches.
#pragma once
#include <functional>
#include <stdexcept>

#include "host_process/sandbox.hpp"

inline std::string trained(const Sandbox& sandbox, const std::string& words) {
  const Outcome fit =
      sandbox.host("fit " + words +
                   " --max_epochs 1 --limit_train_batches 2 --limit_val_batches 1" LEVIN_TEST_QUIET " --logger false");
  if (fit.code != 0) throw std::runtime_error(fit.err);
  for (const auto& entry : std::filesystem::directory_iterator(sandbox.run(0) / "checkpoints"))
    if (entry.path().extension() == ".ckpt") return entry.path().string();
  throw std::runtime_error("no checkpoint");
}

// Returns the message of the error that f throws, or "".
inline std::string refusal(const std::function<void()>& f) {
  try {
    f();
    return "";
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}
