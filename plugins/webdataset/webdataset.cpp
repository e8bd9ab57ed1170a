// Samples in tar shards, as WebDataset writes them.
#include <algorithm>
#include <memory>

#include "../common/counted.hpp"
#include "../common/file_module.hpp"
#include "../common/pictures/corrupt_images.hpp"
#include "buffer_order.hpp"
#include "input_reader.hpp"
#include "labels.hpp"
#include "levin/levin.hpp"
#include "samples.hpp"
#include "shards.hpp"

namespace webdataset {
namespace {

std::string text_of(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

}  // namespace

class WebDataset : public common::FileModule<web_options> {
 public:
  static constexpr bool state_before_setup = true;  // new samples can be predicted without the training shards

  explicit WebDataset(const levin::Args& o) : options_(o), reader_(o) {
    if (reader_.mixes() && !options_.classify)
      throw levin::Error(LEVIN_E_INVALID,
                         "--data.transforms: mixup and cutmix mix classes: leave them out with --data.task regression");
  }

  void setup(levin::Stage stage) {
    if (is_set_up_) return;
    Damage damage(options_.damaged);
    if (const auto [split, option, shards] = own_shards(stage); known_ && !shards.empty())
      open(split, option, shards, damage);
    else
      set_up(damage);
    const std::string report = damage.report();
    if (!report.empty()) warn(report);
    is_set_up_ = true;
  }
  void dataloader(levin::LoaderPlan& plan) {
    if (plan.split() == levin::Split::train && options_.shuffle_buffer > 0) plan.sequential();  // see row_of()
  }

  std::vector<levin::Field> fields() {
    const levin::Field number{"y", levin::float32, {}, LEVIN_ROLE_TARGET, 0, {}};
    const levin::Field classes = reader_.mixes() ? levin::probabilities("y", labels_.size(), labels_.names())
                                                 : levin::target("y", labels_.size(), labels_.names());
    return {levin::input("x", levin::float32, reader_.shape), options_.classify ? classes : number};
  }
  int64_t rows(levin::Split split) { return static_cast<int64_t>(part(split).rows.size()); }
  std::string row_name(levin::Split split, int64_t index) {
    const Part& from = part(split);
    return from.set->place(from.set->samples[from.rows.at(static_cast<size_t>(index))]);
  }

  void fill(const levin::Fill& in, const levin_view* out) {
    const SampleSet& set = *part(in.split).set;
    const auto sample = [&](int64_t i) -> const Sample& { return set.samples[row_of(in, in.indices[i])]; };
    if (reader_.reads_arrays()) {
      reader_.fill_arrays({in, set, sample}, out[0]);
    } else {
      const auto label = [&](int64_t i) { return options_.classify ? class_of(sample(i)) : 0; };
      const levin::images::Batch batch = reader_.fill_images({in, set, sample}, label, out[0]);
      if (options_.classify) return batch.write_targets(out[1].data, labels_.size());
    }
    for (int64_t i = 0; i < in.n; ++i) write_target(sample(i), out[1].data, i);
  }
  levin::ByteScale byte_scale(int64_t field) { return field == 0 ? reader_.byte_scale() : levin::ByteScale{}; }

  void save(levin::Writer writer) const {
    if (!known_) return;
    labels_.save(writer);
    writer.put("shape", reader_.shape);
    writer.put("input", reader_.ending);
  }
  void load(levin::Reader reader) {
    Labels labels;
    std::string input;
    std::vector<int64_t> shape;
    if (!labels.load(reader) || !reader.get("shape", shape) || !reader.get("input", input)) return;
    if (is_set_up_ && labels != labels_)
      throw levin::Error(LEVIN_E_STATE, "the checkpoint was trained on " + std::to_string(labels.size()) +
                                            " classes, and these shards have " + std::to_string(labels_.size()) +
                                            ", or others");
    if (is_set_up_ && shape != reader_.shape)
      throw levin::Error(LEVIN_E_STATE, "the checkpoint was trained on inputs of " + text_of(shape) +
                                            ", and these shards have " + text_of(reader_.shape));
    if (is_set_up_) return;
    known_ = true;
    labels_ = labels, reader_.shape = shape, reader_.ending = input;
  }

 private:
  struct Part {
    std::shared_ptr<const SampleSet> set;
    std::vector<uint32_t> rows;
  };
  Part& part(levin::Split split) { return parts_[static_cast<size_t>(split)]; }

  struct Own {
    levin::Split split;
    const char* option;
    std::string shards;
  };
  // Returns the shards that are used with a checkpoint, so that the training shards are not needed; "" = none.
  Own own_shards(levin::Stage stage) const {
    if (stage == levin::Stage::predict) return {levin::Split::predict, "predict_shards", options_.predict_shards};
    if (stage == levin::Stage::test) return {levin::Split::test, "test_shards", options_.test_shards};
    return {levin::Split::val, "val_shards", stage == levin::Stage::validate ? options_.val_shards : ""};
  }

  // Returns the sample of an index. With a shuffle buffer the loader asks for training rows in order.
  uint32_t row_of(const levin::Fill& in, int64_t index) {
    const std::vector<uint32_t>& rows = part(in.split).rows;
    if (in.split != levin::Split::train || options_.shuffle_buffer == 0) return common::row_at(rows, index);
    return rows[common::row_at(*orders_.of(in.seed, in.epoch), index)];
  }

  // Reads the samples of an option and checks their targets and, unless the run stops at damage, their inputs.
  std::shared_ptr<const SampleSet> samples(const char* option, const std::string& names, Needs needs, Damage& damage) {
    const std::vector<std::string> shards =
        shards_of(names, option, options_.cache, !damage.stops(), [this](const std::string& text) { info(text); });
    auto set = std::make_shared<SampleSet>(read_samples(shards, options_, reader_.ending, needs, damage));
    if (!known_) learn(*set);
    const std::vector<std::string> wrong = common::corruption_of(set->samples.size(), [&](size_t i) {
      check_target(*set, set->samples[i], needs.target);
      if (!damage.stops()) reader_.check(*set, set->samples[i]);
    });
    std::vector<Sample> usable;
    for (size_t i = 0; i < wrong.size(); ++i)
      if (wrong[i].empty())
        usable.push_back(std::move(set->samples[i]));
      else
        damage.add(wrong[i]);
    set->samples = std::move(usable);
    if (set->samples.empty())
      throw levin::Error(LEVIN_E_IO, "--data." + std::string(option) + ": no sample can be used");
    return set;
  }
  void check_target(const SampleSet& set, const Sample& sample, bool needed) const {
    if (!needed || (options_.classify ? labels_.of(sample.target).has_value() : number_in(sample.target).has_value()))
      return;
    throw levin::Error(LEVIN_E_IO, set.place(sample) + "." + options_.target.ending + " is '" +
                                       sample.target.substr(0, 40) + "', " +
                                       (options_.classify ? labels_.problem(sample.target) : "which is no number"));
  }

  // Finds the classes and the shape of the inputs.
  void learn(const SampleSet& set) {
    if (options_.classify) {
      std::vector<std::string> targets;
      for (const Sample& sample : set.samples) targets.push_back(sample.target);
      const std::string remark =
          labels_.learn(targets, [&](size_t i) { return set.place(set.samples[i]) + "." + options_.target.ending; });
      if (!remark.empty()) warn(set.shards[0] + ": " + remark);
    }
    for (const Sample& sample : set.samples) try {
        reader_.learn_shape(set, sample);
        known_ = true;
        return;
      } catch (const levin::Error& e) {
        if (options_.damaged == "stop" || e.status() == LEVIN_E_INVALID) throw;
      }
    throw levin::Error(LEVIN_E_IO, set.shards[0] + ": no input can be read");
  }
  void set_up(Damage& damage) {
    const std::shared_ptr<const SampleSet> set =
        samples("shards", options_.shards, {true, options_.splitting.groups()}, damage);
    common::RowKeys keys;
    if (options_.splitting.stratifies()) {
      for (int64_t c = 0; c < labels_.size(); ++c) keys.names.push_back(labels_.name(c));
      for (const Sample& sample : set->samples)
        keys.of.push_back(static_cast<uint32_t>(labels_.of(sample.target).value_or(0)));
    } else if (options_.splitting.groups()) {
      std::vector<std::string> groups;
      for (const Sample& sample : set->samples) groups.push_back(sample.group);
      keys = common::keys_of(groups);
    }
    common::SplitRows rows = options_.splitting.split(static_cast<int64_t>(set->samples.size()), keys, [&set] {
      common::RowNames names;
      for (const Sample& sample : set->samples) names.paths.push_back(sample.key);
      return names;
    });
    if (options_.shuffle_buffer > 0) {
      std::vector<uint32_t> shards;
      for (const uint32_t row : rows.train) shards.push_back(set->samples[row].shard);
      orders_.use(std::move(shards), options_.shuffle_buffer);
    }
    part(levin::Split::train) = {set, std::move(rows.train)};
    part(levin::Split::val) = {set, std::move(rows.val)};
    part(levin::Split::test) = {set, std::move(rows.test)};
    if (!options_.val_shards.empty()) open(levin::Split::val, "val_shards", options_.val_shards, damage);
    if (!options_.test_shards.empty()) open(levin::Split::test, "test_shards", options_.test_shards, damage);
    if (!options_.predict_shards.empty())
      open(levin::Split::predict, "predict_shards", options_.predict_shards, damage);
    else
      part(levin::Split::predict) = this->rows(levin::Split::test) > 0
                                        ? part(levin::Split::test)
                                        : Part{set, common::all_rows(static_cast<int64_t>(set->samples.size()))};
    info(common::counted(set->shards.size(), "shard: ", "shards: ") +
         common::counted(set->samples.size(), "sample", "samples") + " (." + reader_.ending + "), " +
         (options_.classify ? std::to_string(labels_.size()) + " classes" : "a number each") + "; " +
         std::to_string(this->rows(levin::Split::train)) + " train, " + std::to_string(this->rows(levin::Split::val)) +
         " validate, " + std::to_string(this->rows(levin::Split::test)) + " test");
  }
  void open(levin::Split split, const char* option, const std::string& names, Damage& damage) {
    const auto set = samples(option, names, {split != levin::Split::predict, false}, damage);
    part(split) = {set, common::all_rows(static_cast<int64_t>(set->samples.size()))};
  }

  // Samples to predict may have no class; one that is mixed is probabilities, of any class.
  int64_t class_of(const Sample& sample) const {
    return labels_.of(sample.target).value_or(reader_.mixes() ? 0 : -100);
  }
  void write_target(const Sample& sample, void* targets, int64_t i) const {
    if (options_.classify)
      static_cast<int64_t*>(targets)[i] = class_of(sample);
    else
      static_cast<float*>(targets)[i] = number_in(sample.target).value_or(0);
  }
  const Options options_;
  InputReader reader_;
  bool is_set_up_ = false, known_ = false;  // known_: classes, shape and ending of inputs are
  Labels labels_;                           // of a classification
  BufferOrders orders_;
  Part parts_[LEVIN_SPLITS];
};

}  // namespace webdataset

LEVIN_PLUGIN("levin.webdataset", "0.1.0", "Apache-2.0",
             levin::data_module<webdataset::WebDataset>("webdataset",
                                                        "Samples in tar shards, as WebDataset writes them"));
