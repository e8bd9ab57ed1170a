// A plugin's callback.
#pragma once
#include "core/components/component.hpp"

namespace levin::core {

class Callback : public Component {
 public:
  Callback(ComponentOrigin origin, const levin_object* table, void* self);
  levin_status on(const levin_event& event) const {
    return invoke(hook_name(event.hook), [&] { return table_->on(self(), &event); });
  }

 private:
  const levin_callback* table_;
};

}  // namespace levin::core
