// Sound files, as waveforms or spectrograms, for classification.
#include <cmath>
#include <memory>
#include <utility>

#include "../common/class_names.hpp"
#include "../common/counted.hpp"
#include "../common/damaged_rows.hpp"
#include "../common/file_module.hpp"
#include "../common/split_options.hpp"
#include "clips.hpp"
#include "features.hpp"
#include "levin/levin.hpp"
#include "sound_file.hpp"

namespace audio {

inline constexpr const char* kinds[] = {"waveform", "spectrogram", "mel", "log_mel", nullptr};

inline constexpr levin_option own_options[] = {
    levin::required(
        levin::path("dir", nullptr,
                    "folder with a folder of sound files (WAV, FLAC, ...) for each class; with labels: folder "
                    "of sound files")),
    levin::path("labels", "\"\"",
                "CSV or JSON file with the classes of the files in dir; JSON: [{\"file\": \"a.wav\", \"label\": "
                "\"cat\"}, ...]"),
    levin::text("file_column", "\"0\"", "column of labels that holds the paths, relative to dir: name or index"),
    levin::text("label_column", "\"1\"", "column of labels that holds the classes: name or index"),
    levin::text("group", "\"\"", "column of labels whose equal values keep files in one split; empty = none"),
    levin::path("val_dir", "\"\"", "folder of the validation files, instead of a fraction of dir"),
    levin::path("test_dir", "\"\"", "folder of the test files"),
    levin::path("predict_dir", "\"\"", "folder of files to predict, without classes; empty = the test files, or all"),
    levin::number("clip_seconds", "1", "length of a row; longer sounds are cut, shorter ones filled up with zeros",
                  0.001, 3600),
    levin::flag("random_crop", "true", "cut training rows from a random place; otherwise from the beginning"),
    levin::with(levin::integer("sample_rate", "null", "sampling rate that all files must have; null = the first file's",
                               1, 1000000),
                LEVIN_OPT_NULLABLE),
    levin::choice("features", "\"log_mel\"",
                  "waveform, power spectrogram, mel = spectrogram in mel bands, log_mel = mel in decibels", kinds),
    levin::integer("n_fft", "400", "samples in a frame of a spectrogram", 2, 8192),
    levin::integer("hop", "160", "samples between the beginnings of two frames", 1, 65536),
    levin::integer("n_mels", "64", "number of mel bands", 1, 4096),
    levin::number("f_min", "0", "lowest frequency of the mel bands, in Hz", 0, 500000),
    levin::number("f_max", "0", "highest frequency of the mel bands, in Hz; 0 = half of the sampling rate", 0, 500000),
    common::damaged_rows_option};
inline constexpr auto audio_options = common::joined(own_options, common::split_options);

class AudioData : public common::FileModule<audio_options> {
 public:
  static constexpr bool state_before_setup = true;  // new sounds can be predicted without the training files

  explicit AudioData(const levin::Args& o)
      : dir_(o.text("dir")),
        labels_{o.text("labels"), o.text("file_column"), o.text("label_column"), o.text("group")},
        val_dir_(o.text("val_dir")),
        test_dir_(o.text("test_dir")),
        predict_dir_(o.text("predict_dir")),
        damaged_(o.text("damaged")),
        seconds_(o.number("clip_seconds")),
        random_crop_(o.flag("random_crop")),
        rate_(o.is_null("sample_rate") ? 0 : o.integer("sample_rate")),
        feature_options_{o.text("features"),  o.integer("n_fft"), o.integer("hop"),
                         o.integer("n_mels"), o.number("f_min"),  o.number("f_max")},
        splitting_(o, labels_.group_column.empty() ? "" : "--data.group " + labels_.group_column) {
    splitting_.take_own(val_dir_.empty() ? "" : "--data.val_dir " + val_dir_,
                        test_dir_.empty() ? "" : "--data.test_dir " + test_dir_);
    if (splitting_.groups() && labels_.path.empty())
      throw levin::Error(LEVIN_E_INVALID, "--data.group " + labels_.group_column +
                                              " names a column of --data.labels: give the file, or leave it out");
  }

  void setup(levin::Stage stage) {
    if (features_) return;
    common::Damage damage(damaged_);
    if (const auto [split, dir] = own_dir(stage); !classes_.empty() && !dir.empty())
      part(split) = clips_of(split, dir, damage);
    else
      set_up(damage);
    const std::string report = damage.report();
    if (!report.empty()) warn(report);
  }

  std::vector<levin::Field> fields() {
    return {levin::input("x", levin::float32, features_->shape()),
            levin::target("y", static_cast<int64_t>(classes_.size()), classes_)};
  }
  int64_t rows(levin::Split split) { return static_cast<int64_t>(part(split).size()); }
  std::string row_name(levin::Split split, int64_t index) { return part(split).at(static_cast<size_t>(index)).path; }

  void fill(const levin::Fill& in, const levin_view* out) {
    int64_t size = 1;
    for (const int64_t n : features_->shape()) size *= n;
    float* x = static_cast<float*>(out[0].data);
    for (int64_t i = 0; i < in.n; ++i, x += size) {
      const Clip& clip = part(in.split).at(static_cast<size_t>(in.indices[i]));
      levin::Random random(in.seed, in.epoch, in.indices[i]);
      try {
        features_->compute(read(clip.path, in.split == levin::Split::train && random_crop_ ? &random : nullptr), x);
      } catch (const levin::Error& e) {
        throw levin::Error(e.status(), std::string(e.what()) + "; --data.damaged skip leaves such files out");
      }
      static_cast<int64_t*>(out[1].data)[i] = clip.label;
    }
  }

  void save(levin::Writer writer) const {
    if (classes_.empty()) return;
    writer.put("classes", common::packed_names(classes_));
    writer.put("rate", rate_);
  }
  void load(levin::Reader reader) {
    std::string names;
    int64_t rate = 0;
    if (!reader.get("classes", names) || !reader.get("rate", rate)) return;
    const std::vector<std::string> list = common::unpacked_names(names);
    if (features_ && list != classes_)
      throw levin::Error(LEVIN_E_STATE, "the checkpoint was trained to tell other classes apart than those of " + dir_);
    if (features_ && rate != rate_)
      throw levin::Error(LEVIN_E_STATE, "the checkpoint was trained at " + std::to_string(rate) + " Hz, and " + dir_ +
                                            " has " + std::to_string(rate_));
    classes_ = list;
    rate_ = rate;
  }

 private:
  std::vector<Clip>& part(levin::Split split) { return parts_[static_cast<size_t>(split)]; }

  // Returns the folder that is used with a checkpoint, so that the training files are not needed; "" = none.
  std::pair<levin::Split, std::string> own_dir(levin::Stage stage) const {
    if (stage == levin::Stage::predict) return {levin::Split::predict, predict_dir_};
    if (stage == levin::Stage::test) return {levin::Split::test, test_dir_};
    return {levin::Split::val, stage == levin::Stage::validate ? val_dir_ : ""};
  }
  std::vector<Clip> clips_of(levin::Split split, const std::string& dir, common::Damage& damage) {
    common::OtherFiles others;
    const std::vector<Clip> clips =
        split == levin::Split::predict ? unlabelled_clips(dir, others) : labelled_clips(dir, classes_, others);
    if (!others.empty()) warn(dir + ": left out what is no sound file: " + common::listed(others));
    return usable(dir, clips, damage);
  }

  // Returns the clips whose files can be read: all of them are opened, so that a wrong one stops the run before it
  // trains.
  std::vector<Clip> usable(const std::string& dir, const std::vector<Clip>& clips, common::Damage& damage) {
    std::vector<Clip> out;
    damage.count(clips.size());
    for (const Clip& clip : clips) try {
        SoundFile file(clip.path);
        if (rate_ == 0) rate_ = file.rate();
        check_rate(clip.path, file);
        if (!damage.stops()) file.read(0, file.samples() < most_checked ? file.samples() : most_checked);
        out.push_back(clip);
      } catch (const levin::Error& e) {
        damage.add(e.what());
      }
    if (out.empty()) throw levin::Error(LEVIN_E_IO, dir + ": no sound file can be used");
    if (!features_) {
      samples_ = std::max<int64_t>(1, std::llround(seconds_ * static_cast<double>(rate_)));
      features_ = std::make_unique<Features>(feature_options_, rate_, samples_);
      if (const int64_t empty = features_->empty_bands(); empty > 0)
        warn(common::counted(static_cast<uint64_t>(empty), "mel band is", "mel bands are") +
             " always zero: give fewer --data.n_mels or a larger --data.n_fft");
    }
    return out;
  }
  void check_rate(const std::string& path, const SoundFile& file) const {
    if (file.rate() != rate_)
      throw levin::Error(LEVIN_E_IO, path + " has " + std::to_string(file.rate()) + " samples a second, and " +
                                         std::to_string(rate_) + " are expected: convert it, for instance with sox");
  }

  void set_up(common::Damage& damage) {
    const std::vector<Clip> clips = labels_.path.empty() ? clips_of(levin::Split::train, dir_, damage)
                                                         : usable(dir_, listed_clips(dir_, labels_, classes_), damage);
    if (classes_.size() < 2)
      throw levin::Error(LEVIN_E_IO,
                         dir_ + " has one class only, '" + classes_[0] + "': there is nothing to tell apart");
    common::RowKeys keys;
    std::vector<std::string> groups;
    if (splitting_.stratifies()) {
      keys.names = classes_;
      for (const Clip& clip : clips) keys.of.push_back(static_cast<uint32_t>(clip.label));
    } else if (splitting_.groups()) {
      for (const Clip& clip : clips) groups.push_back(clip.group);
      keys = common::keys_of(groups);
    }
    const common::SplitRows rows = splitting_.split(static_cast<int64_t>(clips.size()), keys,
                                                    [&] { return common::names_below(dir_, clips, &Clip::path); });
    const std::vector<uint32_t>* places[] = {&rows.train, &rows.val, &rows.test};
    for (size_t s = 0; s < 3; ++s)
      for (const uint32_t row : *places[s]) parts_[s].push_back(clips[row]);
    if (!val_dir_.empty()) part(levin::Split::val) = clips_of(levin::Split::val, val_dir_, damage);
    if (!test_dir_.empty()) part(levin::Split::test) = clips_of(levin::Split::test, test_dir_, damage);
    const bool tests = !part(levin::Split::test).empty();
    part(levin::Split::predict) = !predict_dir_.empty() ? clips_of(levin::Split::predict, predict_dir_, damage)
                                  : tests               ? part(levin::Split::test)
                                                        : clips;
    info(dir_ + ": " + std::to_string(clips.size()) + " sounds of " + std::to_string(classes_.size()) + " classes, " +
         std::to_string(rate_) + " Hz; " + std::to_string(part(levin::Split::train).size()) + " train, " +
         std::to_string(part(levin::Split::val).size()) + " validate, " +
         std::to_string(part(levin::Split::test).size()) + " test");
  }

  // Returns the samples of a row. random: chooses the place; nullptr = from the beginning.
  std::vector<float> read(const std::string& path, levin::Random* random) const {
    SoundFile file(path);
    check_rate(path, file);
    const int64_t more = file.samples() - samples_;
    return file.read(random && more > 0 ? random->below(more + 1) : 0, samples_);
  }

  static constexpr int64_t most_checked = int64_t{1} << 24;  // samples that check and skip read of a file
  const std::string dir_;
  const LabelFile labels_;
  const std::string val_dir_, test_dir_, predict_dir_, damaged_;
  const double seconds_;
  const bool random_crop_;
  int64_t rate_, samples_ = 0;  // rate_ 0 = not known yet
  const FeatureOptions feature_options_;
  common::Splitting splitting_;
  std::vector<std::string> classes_;
  std::unique_ptr<const Features> features_;
  std::vector<Clip> parts_[LEVIN_SPLITS];
};

}  // namespace audio

LEVIN_PLUGIN("levin.audio", "0.1.0", "Apache-2.0",
             levin::data_module<audio::AudioData>("audio",
                                                  "Sound files as waveforms or spectrograms, for classification"));
