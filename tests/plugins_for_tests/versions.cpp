// One callback in two versions, selected by LEVIN_TEST_VERSION: the second has renamed, removed, deprecated and added
// one option each, and loads the state of its own version only.
#include <levin/levin.hpp>

namespace {

struct Keeper : levin::Callback {
#if LEVIN_TEST_VERSION == 1
  static constexpr levin_option options[] = {
      levin::integer("width", "64", "how wide", 1, 1e6), levin::number("beta", "0.9", "how much"),
      levin::flag("silent", "false", "say nothing"), levin::text("mode", "\"max\"", "which")};
  explicit Keeper(const levin::Args& o) { info("width " + std::to_string(o.integer("width"))); }
#else
  static constexpr const char* state_since = "2.0.0";
  static constexpr const char* was_width[] = {"width", "size", nullptr};
  static constexpr levin_option options[] = {
      levin::renamed(levin::integer("hidden", "32", "how wide", 1, 1e6), was_width),
      levin::number("gamma", "0.5", "how fast"),
      levin::deprecated(levin::flag("silent", "false", "say nothing"), "use mode"),
      levin::text("mode", "\"max\"", "which")};
  explicit Keeper(const levin::Args& o) { info("hidden " + std::to_string(o.integer("hidden"))); }
#endif
  int64_t batches = 0;
  void on_train_batch_end() { ++batches; }
  void save(levin::Writer out) const { out.put("batches", batches); }
  void load(levin::Reader in) {
    in.get("batches", batches);
    info("loaded " + std::to_string(batches) + " of version " + in.version());
  }
};

}  // namespace

#if LEVIN_TEST_VERSION == 1
#define VERSION "1.0.0"
#else
#define VERSION "2.0.0"
#endif
LEVIN_PLUGIN("levin.test.versions", VERSION, "Apache-2.0", levin::callback<Keeper>("keeper", "Two versions"))
