// Samples in tar shards, as WebDataset writes them.
#include <algorithm>
#include <memory>

#include "../common/counted.hpp"
#include "../common/file_module.hpp"
#include "../common/pictures/corrupt_images.hpp"
#include "buffer_order.hpp"
#include "inputs.hpp"
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

  explicit WebDataset(const levin::Args& o)
      : options_(o),
        transforms_list_(o.text("transforms")),
        transforms_(transforms_list_),
        pictures_(o, transforms_list_.empty() || transforms_.normalizes()) {
    if (transforms_.mixes())
      throw levin::Error(LEVIN_E_INVALID, "--data.transforms: mixup and cutmix are not possible here: leave them out");
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
    return {levin::input("x", levin::float32, shape_),
            options_.classify ? levin::target("y", labels_.size(), labels_.names()) : number};
  }
  int64_t rows(levin::Split split) { return static_cast<int64_t>(part(split).rows.size()); }
  std::string row_name(levin::Split split, int64_t index) {
    const Part& from = part(split);
    return from.set->place(from.set->samples[from.rows.at(static_cast<size_t>(index))]);
  }

  void fill(const levin::Fill& in, const levin_view* out) {
    const Part& from = part(in.split);
    const int64_t size = row_size();
    common::write_pixels(out[0], [&](auto* x) {
      for (int64_t i = 0; i < in.n; ++i, x += size) {
        const uint32_t row = row_of(in, in.indices[i]);
        const Sample& sample = from.set->samples[row];
        levin::Random random(in.seed, in.epoch, row);
        common::with_advice([&] { read(*from.set, sample, in.split == levin::Split::train ? &random : nullptr, x); });
        write_target(sample, out[1].data, i);
      }
    });
  }
  levin::ByteScale byte_scale(int64_t field) {
    return field == 0 && !is_array(input_) ? pictures_.numbers.scale() : levin::ByteScale{};
  }

  void save(levin::Writer writer) const {
    if (!known_) return;
    labels_.save(writer);
    writer.put("shape", shape_);
    writer.put("input", input_);
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
    if (is_set_up_ && shape != shape_)
      throw levin::Error(LEVIN_E_STATE, "the checkpoint was trained on inputs of " + text_of(shape) +
                                            ", and these shards have " + text_of(shape_));
    if (is_set_up_) return;
    known_ = true;
    labels_ = labels, shape_ = shape, input_ = input;
  }

 private:
  struct Part {
    std::shared_ptr<const SampleSet> set;
    std::vector<uint32_t> rows;
  };
  Part& part(levin::Split split) { return parts_[static_cast<size_t>(split)]; }

  // Calls work(), and puts the sample's place before its errors.
  template <class Work>
  static auto named(const SampleSet& set, const Sample& sample, Work work) {
    try {
      return work();
    } catch (const levin::Error& e) {
      throw levin::Error(e.status(), set.place(sample) + ": " + e.what());
    }
  }
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
  std::shared_ptr<const SampleSet> samples(const char* option, const std::string& names, bool needs_targets,
                                           Damage& damage) {
    const std::vector<std::string> shards =
        shards_of(names, option, options_.cache, !damage.stops(), [this](const std::string& text) { info(text); });
    auto set = std::make_shared<SampleSet>(read_samples(shards, options_, input_, needs_targets, damage));
    if (!known_) learn(*set);
    const std::vector<std::string> wrong = common::corruption_of(set->samples.size(), [&](size_t i) {
      check_target(*set, set->samples[i], needs_targets);
      std::vector<float> numbers(static_cast<size_t>(row_size()));
      if (!damage.stops()) read(*set, set->samples[i], nullptr, numbers.data());
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
    throw levin::Error(LEVIN_E_IO, set.place(sample) + "." + options_.target + " is '" + sample.target.substr(0, 40) +
                                       "', " +
                                       (options_.classify ? labels_.problem(sample.target) : "which is no number"));
  }

  // Finds the classes and the shape of the inputs.
  void learn(const SampleSet& set) {
    if (options_.classify) {
      std::vector<std::string> targets;
      for (const Sample& sample : set.samples) targets.push_back(sample.target);
      const std::string remark =
          labels_.learn(targets, [&](size_t i) { return set.place(set.samples[i]) + "." + options_.target; });
      if (!remark.empty()) warn(set.shards[0] + ": " + remark);
    }
    for (const Sample& sample : set.samples) try {
        return learn_shape(set, sample);
      } catch (const levin::Error&) {
        if (options_.damaged == "stop") throw;
      }
    throw levin::Error(LEVIN_E_IO, set.shards[0] + ": no input can be read");
  }
  void learn_shape(const SampleSet& set, const Sample& sample) {
    if (is_array(input_)) {
      named(set, sample, [&] { decode_array(set.input(sample), shape_); });
    } else {
      levin::images::Shape shape = transforms_.after({pictures_.channels, 0, 0});
      if (shape.height == 0 || shape.width == 0)
        shape = transforms_.after(named(set, sample, [&] { return decode_image(set.input(sample), pictures_).shape; }));
      shape_ = {shape.channels, shape.height, shape.width};
    }
    known_ = true;
  }

  void set_up(Damage& damage) {
    const std::shared_ptr<const SampleSet> set = samples("shards", options_.shards, true, damage);
    common::RowKeys keys;
    if (options_.splitting.stratifies()) {
      for (int64_t c = 0; c < labels_.size(); ++c) keys.names.push_back(labels_.name(c));
      for (const Sample& sample : set->samples)
        keys.of.push_back(static_cast<uint32_t>(labels_.of(sample.target).value_or(0)));
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
         common::counted(set->samples.size(), "sample", "samples") + " (." + input_ + "), " +
         (options_.classify ? std::to_string(labels_.size()) + " classes" : "a number each") + "; " +
         std::to_string(this->rows(levin::Split::train)) + " train, " + std::to_string(this->rows(levin::Split::val)) +
         " validate, " + std::to_string(this->rows(levin::Split::test)) + " test");
  }
  void open(levin::Split split, const char* option, const std::string& names, Damage& damage) {
    const auto set = samples(option, names, split != levin::Split::predict, damage);
    part(split) = {set, common::all_rows(static_cast<int64_t>(set->samples.size()))};
  }

  int64_t row_size() const {
    int64_t n = 1;
    for (const int64_t size : shape_) n *= size;
    return n;
  }
  void write_target(const Sample& sample, void* targets, int64_t i) const {
    if (options_.classify)
      static_cast<int64_t*>(targets)[i] = labels_.of(sample.target).value_or(-100);
    else
      static_cast<float*>(targets)[i] = number_in(sample.target).value_or(0);
  }
  // T: float, or uint8_t for the bytes of an image. random: nullptr outside training.
  template <class T>
  void read(const SampleSet& set, const Sample& sample, levin::Random* random, T* out) const {
    named(set, sample, [&] {
      if (is_array(input_)) {
        std::vector<int64_t> shape = shape_;
        const std::vector<float> numbers = decode_array(set.input(sample), shape);
        std::transform(numbers.begin(), numbers.end(), out, [](float number) { return static_cast<T>(number); });
        return;
      }
      levin::images::Image image = decode_image(set.input(sample), pictures_);
      transforms_.apply(image, random);
      if (image.shape.height != shape_[1] || image.shape.width != shape_[2])
        throw levin::Error(LEVIN_E_IO, "has " + std::to_string(image.shape.height) + " x " +
                                           std::to_string(image.shape.width) +
                                           " pixels, and the first sample has others: put resize:HEIGHT:WIDTH into "
                                           "--data.transforms");
      pictures_.write(image, out);
    });
  }

  const Options options_;
  const std::string transforms_list_;
  const levin::images::Transforms transforms_;
  const common::PictureOptions pictures_;
  bool is_set_up_ = false, known_ = false;  // known_: classes, shape and input are
  std::string input_ = options_.input;
  Labels labels_;  // of a classification
  BufferOrders orders_;
  std::vector<int64_t> shape_;
  Part parts_[LEVIN_SPLITS];
};

}  // namespace webdataset

LEVIN_PLUGIN("levin.webdataset", "0.1.0", "Apache-2.0",
             levin::data_module<webdataset::WebDataset>("webdataset",
                                                        "Samples in tar shards, as WebDataset writes them"));
