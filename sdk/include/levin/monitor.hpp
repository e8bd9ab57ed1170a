// The metric that a callback monitors, set by its options "monitor" (text) and "strict" (bool, nullable).
#pragma once
#include <optional>
#include <string>
#include <utility>

#include "levin/options.hpp"
#include "levin/run.hpp"
#include "levin/util/text.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// Help of the option "strict" of callbacks with a Monitor.
inline constexpr const char* strict_help =
    "treat a monitor that is never logged as an error; false = warn, null = error if you named the monitor";

class Monitor {
 public:
  // instance: Object::name() of the callback.
  Monitor(const Args& args, std::string instance)
      : name_(args.text("monitor")),
        instance_(std::move(instance)),
        strict_(args.is_null("strict") ? std::nullopt : std::optional<bool>(args.flag("strict"))) {}

  const std::string& name() const { return name_; }  // "" = no metric
  // Returns true if the metric was named by the user, not by the option's default.
  bool is_named(const Run& run) const { return is_given(run, "monitor"); }
  // Returns true if a run that ends without the metric fails.
  // With strict=true, as in Lightning, only where a validation could have logged it.
  bool fails_at_end(const Run& run) const {
    if (!strict_) return is_named(run);
    return *strict_ && run.validates() && (is_named(run) || is_given(run, "strict"));
  }
  // Returns true if the metric must be logged.
  bool is_strict(const Run& run) const { return strict_ ? *strict_ : is_named(run); }
  // Returns true if the callback does nothing until the metric is logged: `strict` is true.
  bool waits() const { return strict_.value_or(false); }
  // Returns true if a missing metric causes a warning. A default metric does not, in a run without validation.
  bool is_expected(const Run& run) const { return is_named(run) || strict_ || run.validates(); }

  // With several validation loaders, whose metrics have a suffix, a default metric is changed to the metric of the
  // first loader. logged: pairs whose first member is a name. Returns true if the name has changed.
  template <class Pairs>
  bool follow_first_loader(const Run& run, const Pairs& logged) {
    if (name_.empty() || has(logged, name_) || is_named(run) || !has(logged, name_ + of_first_loader)) return false;
    name_ += of_first_loader;
    return true;
  }
  // The same for a resumed run, whose earlier part monitored `watched`.
  void follow(const std::string& watched) {
    if (watched == name_ + of_first_loader) name_ = watched;
  }
  std::string followed_text() const { return "follows '" + name_ + "', of the first validation loader; " + choice(); }

  template <class Pairs>
  std::string missing_text(const Pairs& logged) const {
    return "monitors '" + name_ + "', which was not logged; logged are: " + names_of(logged) +
           (has(logged, name_ + of_first_loader) ? "; say " + option("monitor") + " " + name_ + of_first_loader : "");
  }
  // The option to type.
  std::string choice() const { return option("monitor") + " NAME names another metric"; }
  std::string advice() const {
    return ". Name one of these with " + option("monitor") + ", or continue without it with " + option("strict") +
           " false";
  }

 private:
  static constexpr const char* of_first_loader = "/dataloader_idx_0";
  template <class Pairs>
  static bool has(const Pairs& logged, const std::string& name) {
    for (const auto& pair : logged)
      if (pair.first == name) return true;
    return false;
  }
  bool is_given(const Run& run, const char* of) const {
    const std::string origin = "origin." + option(of).substr(2);
    const char* value = nullptr;
    return run.trainer().text(run.raw(), origin.c_str(), &value) == LEVIN_OK && value && *value;
  }
  std::string option(const char* of) const { return "--callback." + instance_ + "." + of; }

  std::string name_, instance_;
  std::optional<bool> strict_;
};

}  // namespace levin
#pragma GCC visibility pop
