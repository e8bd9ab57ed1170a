// Shows the first samples of a validation with their predictions, as one picture for the loggers.
#include <algorithm>
#include <optional>
#include <utility>

#include "grid.hpp"
#include "levin/callback.hpp"
#include "levin/host_tensor.hpp"
#include "levin/ops.hpp"
#include "levin/util/text.hpp"

namespace levin::sample_predictions {
namespace {

constexpr int64_t type_float = 6;  // c10::ScalarType

// The first rows of a tensor, on the CPU.
struct Rows {
  std::vector<int64_t> shape;
  std::vector<double> values;
  bool integers = false, bytes = false;  // bytes: of one byte each
};

Rows first_rows(const Run& run, levin_tensor* tensor, int64_t n) {
  const Ops ops(run);
  OwnedTensor rows = ops("narrow", "", {ops("detach", "", {tensor}), 0, 0, n});
  levin_view view{};
  detail::check(run.host()->tensor_view(run.host(), rows.get(), &view), "tensor_view");
  Rows out{{view.shape, view.shape + view.ndim}, {}, false, false};
  out.integers = view.dtype.code == LEVIN_INT || view.dtype.code == LEVIN_UINT || view.dtype.code == LEVIN_BOOL;
  out.bytes = view.dtype.code == LEVIN_UINT && view.dtype.bits == 8;
  if (!out.integers) rows = ops("to", "dtype", {rows, type_float});
  out.values = HostTensor(run, rows.get()).numbers();
  return out;
}

// Returns true for [rows, height, width] and for [rows, channels, height, width] with 1 or 3 channels.
bool is_pictures(const std::vector<int64_t>& shape) {
  for (const int64_t size : shape)
    if (size == 0) return false;
  return shape.size() == 3 || (shape.size() == 4 && (shape[1] == 1 || shape[1] == 3));
}

std::string text_of(const std::vector<int64_t>& shape) {
  std::string out;
  for (const int64_t size : shape) out += (out.empty() ? "[" : ", ") + std::to_string(size);
  return out + "]";
}

class SamplePredictions : public Callback {
 public:
  static constexpr levin_option options[] = {
      integer("samples", "16", "number of samples to show", 1, 100),
      integer("every_n_epochs", "1", "show them in the validations of every Nth epoch", 1, 1e15),
      text("prediction", "\"prediction\"", "output of the model's steps that holds the predictions"),
      text("target", "\"target\"", "output of the model's steps that holds the true values"),
  };

  explicit SamplePredictions(const Args& args)
      : most_(args.integer("samples")),
        every_n_epochs_(args.integer("every_n_epochs")),
        prediction_(args.text("prediction")),
        target_(args.text("target")) {}

  void on_validation_epoch_start(const Event& event) {
    samples_.clear();
    const Run run = event.run();
    wanted_ = event.stage() != Stage::sanity && is_first_process(run) && !warned_ &&
              (event.stage() != Stage::fit || (event.epoch() + 1) % every_n_epochs_ == 0);
    if (!wanted_) return;
    fields_.clear();
    if (run.data().loaders(Split::val) > 0) fields_ = run.data().fields(Split::val, 0);
  }
  void on_validation_batch_end(const Event& event) {
    const levin_batch* const batch = event.raw().batch;
    const int64_t missing = most_ - static_cast<int64_t>(samples_.size());
    if (!wanted_ || missing == 0 || event.dataloader_idx() > 0 || !batch || batch->rows == 0) return;
    add(event, *batch, std::min(missing, batch->rows));
  }
  void on_validation_epoch_end(const Event& event) {
    if (samples_.empty()) return;
    const Pixels grid = draw_grid(samples_);
    event.run().media(
        Media::image("sample_predictions", grid.rgb.data(), grid.height, grid.width, 3).caption(texts_of(samples_)));
    samples_.clear();
  }

 private:
  void add(const Event& event, const levin_batch& batch, int64_t n) {
    const Run run = event.run();
    levin_tensor *prediction = event.output(prediction_), *target = event.output(target_);
    if (!prediction || !target)
      return give_up("the model's steps return no '" + (!prediction ? prediction_ : target_) +
                     "'. Steps of levin::classifier and levin::regressor do; another model returns "
                     "levin::Outputs{loss, {{\"prediction\", classes}, {\"target\", target}}}, or names of its own "
                     "with --callback.sample_predictions.prediction and --callback.sample_predictions.target");
    levin_tensor* const pictures = pictures_in(run, batch);
    if (!pictures) return;
    const Rows predicted = first_rows(run, prediction, n), wanted = first_rows(run, target, n);
    for (const auto& [rows, name] : {std::pair{&predicted, &prediction_}, std::pair{&wanted, &target_}})
      if (static_cast<int64_t>(rows->values.size()) != n)
        return give_up("the model's output '" + *name + "' has the shape " + text_of(rows->shape) + " for " +
                       std::to_string(n) + " rows: classes and numbers are shown, one for each row");
    const Rows images = first_rows(run, pictures, n);
    const auto size = static_cast<long>(images.values.size()) / static_cast<long>(n);
    for (int64_t i = 0; i < n; ++i) {
      const bool flat = images.shape.size() == 3;
      Sample sample{{flat ? 1 : images.shape[1], images.shape[flat ? 1 : 2], images.shape[flat ? 2 : 3], {}}, "", ""};
      sample.picture.values.assign(images.values.begin() + i * size, images.values.begin() + (i + 1) * size);
      sample.picture.bytes = images.bytes;
      const double is = wanted.values[static_cast<size_t>(i)], seems = predicted.values[static_cast<size_t>(i)];
      sample.prediction = name_of(seems, predicted.integers);
      sample.target = name_of(is, wanted.integers);
      if (predicted.integers && wanted.integers) sample.verdict = is == seems ? Verdict::right : Verdict::wrong;
      samples_.push_back(std::move(sample));
    }
  }

  // Returns the first input that has pictures, or nullptr after a warning.
  levin_tensor* pictures_in(const Run& run, const levin_batch& batch) {
    std::string seen;
    const Ops ops(run);
    for (uint32_t i = 0; i < batch.n; ++i) {
      if (i < fields_.size() && fields_[i].role != LEVIN_ROLE_INPUT) continue;
      const std::vector<int64_t> shape = ops.shape(batch.tensors[i]);
      if (is_pictures(shape)) return batch.tensors[i];
      seen += (seen.empty() ? "" : ", ") + text_of(shape);
    }
    give_up(
        "no input of the model has pictures, which are [rows, channels, height, width] with 1 or 3 channels or "
        "[rows, height, width]; its inputs are " +
        (seen.empty() ? "unknown" : seen));
    return nullptr;
  }

  void give_up(const std::string& why) {
    warn("no samples are shown: " + why);
    warned_ = true;
    wanted_ = false;
  }

  std::string name_of(double value, bool is_class) const {
    if (!is_class) return metric_text(value);
    const auto index = static_cast<int64_t>(value);
    for (const Field& field : fields_)
      if (field.role == LEVIN_ROLE_TARGET && index >= 0 && index < static_cast<int64_t>(field.class_names.size()))
        return field.class_names[static_cast<size_t>(index)];
    return std::to_string(index);
  }

  int64_t most_, every_n_epochs_;
  std::string prediction_, target_;
  std::vector<Field> fields_;  // of the validation data; empty = not described
  std::vector<Sample> samples_;
  bool wanted_ = false;  // in this validation
  bool warned_ = false;
};

}  // namespace
}  // namespace levin::sample_predictions

LEVIN_PLUGIN("levin.sample_predictions", "0.1.0", "Apache-2.0",
             levin::callback<levin::sample_predictions::SamplePredictions>(
                 "sample_predictions", "Shows samples with their predictions as one picture"))
