// Errors for programs that do not use the host's exception types.
#pragma once
#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/progress/stop_request.hpp"
#include "sdk/include/levin/trainer/options.hpp"

namespace levin {

// Calls f(). Converts its exceptions to TrainerError.
template <class F>
auto with_kinds(const F& f) {
  try {
    return f();
  } catch (const TrainerError&) {
    throw;
  } catch (const core::Error& e) {
    throw TrainerError(static_cast<ErrorKind>(e.kind()), e.what(), core::text_of(e.code()));
  } catch (const core::Interrupt&) {
    throw TrainerError(ErrorKind::interrupted, "a signal stopped the run before its first batch",
                       core::text_of(core::ErrorCode::interrupted));
  } catch (const std::exception& e) {
    throw TrainerError(ErrorKind::internal, core::brief(e), core::text_of(core::ErrorCode::internal_error));
  }
}

}  // namespace levin
