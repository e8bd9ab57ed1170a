// A callback whose class has the name that another plugin's class has too. Its options are a symbol that a whole
// process shares, unless it is hidden.
#include "levin/callback.hpp"

namespace {

// Whether what this plugin throws is caught here by its type, its base and the SDK.
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
