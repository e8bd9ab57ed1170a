// Freezes the backbone of a model, trains the rest, and later unfreezes the backbone at a learning rate that grows to
// the head's.
#include "backbone_lr.hpp"
#include "levin/finetuning.hpp"

namespace levin::backbone_finetuning {
namespace {

class BackboneFinetuning : public Finetuning {
 public:
  static constexpr levin_option options[] = {
      text("backbone", "\"backbone\"", "name of the submodule to freeze"),
      integer("unfreeze_backbone_at_epoch", "10", "first epoch (from 0) in which the backbone is trained", 0, 1e15),
      number("lambda_func", "2.0", "factor by which the backbone's learning rate grows each epoch", 0, 1e6),
      number("backbone_initial_ratio_lr", "0.1", "initial learning rate of the backbone, as a fraction of the head's",
             0, 1e6),
      with(
          number("backbone_initial_lr", "null", "initial learning rate of the backbone, instead of a fraction", 0, 1e6),
          LEVIN_OPT_NULLABLE),
      flag("should_align", "true", "limit the backbone's learning rate to the head's"),
      number("initial_denom_lr", "10.0", "no effect, as in Lightning", 1e-9, 1e9),
      flag("train_bn", "true", "train the batch norm layers of the backbone from the start"),
      flag("verbose", "false", "print the learning rates of every epoch"),
      integer("rounding", "12", "digits of the printed learning rates", 0, 17),
  };

  explicit BackboneFinetuning(const Args& args)
      : backbone_(args.text("backbone")),
        unfreeze_at_(args.integer("unfreeze_backbone_at_epoch")),
        train_bn_(args.flag("train_bn")),
        verbose_(args.flag("verbose")),
        rounding_(static_cast<int>(args.integer("rounding"))) {
    rule_.initial_ratio = args.number("backbone_initial_ratio_lr");
    rule_.factor = args.number("lambda_func");
    rule_.should_align = args.flag("should_align");
    if (!args.is_null("backbone_initial_lr")) rule_.initial = args.number("backbone_initial_lr");
  }

  void freeze_before_training(const Run& run) override try { freeze(run, backbone_); } catch (const Error& e) {
    if (e.status() != LEVIN_E_NOT_FOUND) throw;
    throw Error(LEVIN_E_INVALID, "--callback." + name() + ".backbone has to name a part of the model: " + e.what());
  }

  void finetune(const Run& run, int64_t epoch, uint32_t optimizer) override {
    if (optimizer != 0 || epoch < unfreeze_at_) return;
    const double head = run.lr(0, 0);
    if (epoch == unfreeze_at_) {
      previous_ = rule_.first(head);
      unfreeze(run, {backbone_, optimizer, previous_, train_bn_});
    } else {
      previous_ = rule_.next(previous_, head);
      run.set_lr(0, run.n_groups(0) - 1, previous_);
    }
    if (verbose_) info("current lr: " + fixed(head, rounding_) + ", backbone lr: " + fixed(previous_, rounding_));
  }

  void save(Writer writer) const {
    Finetuning::save(writer);
    writer.put("previous_backbone_lr", previous_);
  }
  void load(Reader reader) {
    Finetuning::load(reader);
    reader.get("previous_backbone_lr", previous_);
  }

 private:
  std::string backbone_;
  int64_t unfreeze_at_;
  bool train_bn_, verbose_;
  int rounding_;
  BackboneLr rule_;
  double previous_ = 0;
};

}  // namespace
}  // namespace levin::backbone_finetuning

LEVIN_PLUGIN("levin.backbone_finetuning", "0.1.0", "Apache-2.0",
             levin::callback<levin::backbone_finetuning::BackboneFinetuning>(
                 "backbone_finetuning", "Freezes the backbone at first and unfreezes it in a later epoch"))
