// A plugin's callback.
#pragma once
#include <utility>

#include "core/components/component.hpp"

namespace levin::core {

class Callback : public Component {
 public:
  Callback(ComponentOrigin origin, const levin_object* table, void* self)
      : Component(std::move(origin), table, self), table_(reinterpret_cast<const levin_callback*>(table)) {
    if (!LEVIN_HAS(levin_callback, table_, on))
      throw Error(ErrorCode::plugin_lacks_function, plugin() + ": callback '" + schema().id + "' has no function 'on'");
  }
  levin_status on(const levin_event& event) const {
    return invoke(hook_name(event.hook), [&] { return table_->on(self(), &event); });
  }

 private:
  const levin_callback* table_;
};

}  // namespace levin::core
