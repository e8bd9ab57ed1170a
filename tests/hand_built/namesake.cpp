// A callback whose class has the same name as a class of another plugin. Its options are a symbol that is shared within
// the process unless it is hidden.
#include "levin/callback.hpp"

namespace {

// Returns true if exceptions of this plugin are caught here by their type, by their base class and by the SDK.
bool exceptions_work() {
  try {
    throw levin::Error(LEVIN_E_STATE, "thrown");
  } catch (const levin::Error& e) {
    return std::string(e.what()) == "thrown";
  } catch (...) {
    return false;
  }
}

}  // namespace

struct Mine : levin::Callback {
  static constexpr levin_option options[] = {levin::integer(NAME, "1", "an option")};
  explicit Mine(const levin::Args& args) {
    if (args.integer(NAME) != 7 || !exceptions_work()) throw levin::Error(LEVIN_E_INVALID, "this cannot be");
    throw levin::Error(LEVIN_E_STATE, NAME " refuses");
  }
  void on_fit_start() {}
};

LEVIN_PLUGIN("org.levin." NAME, "1.0.0", "MIT", levin::callback<Mine>(NAME, "A callback"))
