#include "options.hpp"

namespace levin::model_checkpoint {
namespace {

TriggerOptions trigger_of(const Args& args) {
  TriggerOptions o;
  if (!args.is_null("every_n_train_steps")) o.every_n_train_steps = args.integer("every_n_train_steps");
  if (!args.is_null("every_n_epochs")) o.every_n_epochs = args.integer("every_n_epochs");
  if (!args.is_null("train_time_interval")) o.train_time_interval = args.duration("train_time_interval");
  if (!args.is_null("save_on_train_epoch_end")) o.save_on_train_epoch_end = args.flag("save_on_train_epoch_end");
  return o;
}

}  // namespace

Settings settings_of(const Args& args) {
  Settings s;
  s.dirpath = args.text("dirpath");
  s.filename = args.text("filename");
  const std::string last = args.text("save_last");
  s.last = last == "true"     ? Last::with_saved
           : last == "link"   ? Last::link
           : last == "always" ? Last::always
                              : Last::none;
  const std::string async = args.text("async_save");
  s.async = async == "wait" ? Async::wait : async == "skip" ? Async::skip : Async::off;
  s.save_top_k = args.integer("save_top_k");
  s.verbose = args.flag("verbose");
  s.save_on_exception = args.flag("save_on_exception");
  s.weights_only = args.flag("save_weights_only");
  s.maximize = args.text("mode") == "max";
  s.auto_insert = args.flag("auto_insert_metric_name");
  s.versions = args.flag("enable_version_counter");
  s.trigger = trigger_of(args);
  if (s.save_top_k < -1)
    throw Error(LEVIN_E_INVALID, "save_top_k is " + std::to_string(s.save_top_k) + ": it has to be -1 or more");
  if (args.text("monitor").empty() && s.save_top_k > 1)
    throw Error(LEVIN_E_INVALID, "save_top_k is " + std::to_string(s.save_top_k) +
                                     " but there is no monitor to rank by: give one, or take -1, 0 or 1");
  return s;
}

}  // namespace levin::model_checkpoint
