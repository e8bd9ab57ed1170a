// Stops training after a given time. A resumed run continues from the time already spent.
#include "levin/callback.hpp"
#include "levin/util/clock.hpp"
#include "levin/util/text.hpp"
#include "stopwatch.hpp"

namespace levin::timer {
namespace {

constexpr const char* intervals[] = {"step", "epoch", nullptr};

class Timer : public Callback {
 public:
  static constexpr levin_option options[] = {
      with(json("duration", "null", "maximum training time, DD:HH:MM:SS; null = only measure"), LEVIN_OPT_NULLABLE),
      choice("interval", "\"step\"", "check the time after each step or each epoch", intervals),
      flag("verbose", "true", "print a line when the time is over"),
  };
  static constexpr levin_flag claims[] = {{"max_time", "duration", "stop training after this time, DD:HH:MM:SS"}};

  explicit Timer(const Args& args)
      : watch_(limit(args)), by_step_(args.text("interval") == "step"), verbose_(args.flag("verbose")) {}

  void on_fit_start(const Event& event) {
    if (watch_.expired(steady_seconds())) stop(event);
  }
  void on_train_start() { watch_.start(steady_seconds()); }
  void on_train_end() { watch_.stop(steady_seconds()); }
  void on_train_batch_end(const Event& event) {
    if (by_step_ && watch_.limit() && watch_.expired(steady_seconds())) stop(event);
  }
  void on_train_epoch_end(const Event& event) {
    if (!by_step_ && watch_.expired(steady_seconds())) stop(event);
  }

  void save(Writer writer) const { writer.put("train_seconds", watch_.elapsed(steady_seconds())); }
  void load(Reader reader) {
    double seconds = 0;
    if (reader.get("train_seconds", seconds)) watch_.add(seconds);
  }

 private:
  static std::optional<double> limit(const Args& args) {
    if (args.is_null("duration")) return std::nullopt;
    try {
      return args.duration("duration");
    } catch (const Error& e) {
      throw Error(LEVIN_E_INVALID, std::string("duration, which trainer.max_time sets: ") + e.what());
    }
  }

  void stop(const Event& event) {
    if (stopped_) return;
    stopped_ = true;
    const std::string reason = "Time limit of " + fixed(*watch_.limit(), 0) + " s reached after " +
                               fixed(watch_.elapsed(steady_seconds()), 0) + " s of training. Stopping.";
    event.run().stop(verbose_ ? reason : "");
  }

  Stopwatch watch_;
  bool by_step_, verbose_, stopped_ = false;
};

}  // namespace
}  // namespace levin::timer

LEVIN_PLUGIN("levin.timer", "0.1.0", "Apache-2.0",
             levin::callback<levin::timer::Timer>("timer", "Stops training after a time limit"));
