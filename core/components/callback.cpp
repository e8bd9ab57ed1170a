#include "core/components/callback.hpp"

#include "core/base/error.hpp"

namespace levin::core {

Callback::Callback(ComponentOrigin origin, const levin_object* table, void* self)
    : Component(std::move(origin), table, self), table_(reinterpret_cast<const levin_callback*>(table)) {
  if (!LEVIN_HAS(levin_callback, table_, on))
    throw Error(ErrorKind::plugin, plugin() + ": callback '" + schema().id + "' has no function 'on'");
}

}  // namespace levin::core
