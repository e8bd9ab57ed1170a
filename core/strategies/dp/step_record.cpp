#include "core/strategies/dp/step_record.hpp"

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"

namespace levin::core {

RecordedLog::RecordedLog(LogOrigin where, const levin_log& given)
    : origin(where),
      log(given),
      name(given.name),
      reduce_fx(given.reduce_fx ? given.reduce_fx : ""),
      has_reduce_fx(given.reduce_fx != nullptr) {
  if (given.tensor) tensor = retain(given.tensor).detach();
}

levin_log RecordedLog::arguments(const at::Tensor& value) const {
  levin_log out = log;
  out.name = name.c_str();
  out.reduce_fx = has_reduce_fx ? reduce_fx.c_str() : nullptr;
  out.tensor = borrow(value);
  return out;
}

void StepRecord::add(LogOrigin origin, const levin_log& log) {
  if (!log.name || !*log.name) throw Error(ErrorKind::usage, "log needs a name");
  calls_.emplace_back(origin, log);
}

}  // namespace levin::core
