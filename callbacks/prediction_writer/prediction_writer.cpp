// Writes the results of predict_step as .npy files, per batch or once at the end.
#include <filesystem>
#include <fstream>
#include <map>

#include "levin/callback.hpp"
#include "levin/host_tensor.hpp"
#include "npy.hpp"

namespace levin::prediction_writer {
namespace {

namespace fs = std::filesystem;
constexpr const char* intervals[] = {"batch", "epoch", "batch_and_epoch", nullptr};

class PredictionWriter : public Callback {
 public:
  static constexpr levin_option options[] = {
      with(path("output_dir", "null", "folder of the files; null = predictions in the run folder"), LEVIN_OPT_NULLABLE),
      choice("write_interval", "\"batch\"",
             "one file for each batch (loader_0_batch_7.NAME.npy) or for each loader; each rank writes its own",
             intervals),
  };
  static constexpr uint64_t flags = LEVIN_F_OFF_IN_FAST_DEV_RUN;

  explicit PredictionWriter(const Args& args)
      : output_dir_(args.text("output_dir")),
        by_batch_(args.text("write_interval") != "epoch"),
        by_epoch_(args.text("write_interval") != "batch") {}

  void on_predict_batch_end(const Event& event) {
    const levin_event& raw = event.raw();
    const std::string loader =
        of_process(event.run()) + "loader_" + std::to_string(std::max<int64_t>(0, event.dataloader_idx()));
    for (uint64_t i = 0; i < raw.n_outputs; ++i) {
      const std::string name = std::string(raw.outputs[i].name) == "loss" ? "prediction" : raw.outputs[i].name;
      keep(event, loader, name, array_of(HostTensor(event.run(), raw.outputs[i].tensor).view()));
    }
    if (!raw.batch || !raw.batch->sample_ids) return;
    const auto* ids = reinterpret_cast<const char*>(raw.batch->sample_ids);
    const Array samples{{LEVIN_INT, 64, 1},
                        {raw.batch->rows},
                        std::string(ids, static_cast<size_t>(raw.batch->rows) * sizeof(int64_t))};
    keep(event, loader, "sample", samples);
  }

  void on_predict_end(const Event& event) {
    for (const auto& [name, array] : all_) write(folder(event.run()) / (name + ".npy"), array);
    all_.clear();
    if (is_first_process(event.run())) info("wrote predictions into " + folder(event.run()).string());
  }

 private:
  // Returns the part of the file name for this process. Each of several processes writes its own files; the sample
  // indices in them identify the rows.
  std::string of_process(const Run& run) const {
    const levin_dist* dist = services().dist;
    if (!dist || dist->world_size(run.raw()) == 1) return "";
    return "rank_" + std::to_string(dist->rank(run.raw())) + ".";
  }
  fs::path folder(const Run& run) const {
    return output_dir_.empty() ? fs::path(run.run_dir()) / "predictions" : output_dir_;
  }

  void keep(const Event& event, const std::string& loader, const std::string& name, const Array& array) {
    if (by_batch_)
      write(folder(event.run()) / (loader + "_batch_" + std::to_string(event.batch_idx()) + "." + name + ".npy"),
            array);
    if (!by_epoch_) return;
    const auto [at, fresh] = all_.emplace(loader + "." + name, array);
    if (!fresh) append(at->second, array);
  }

  static void write(const fs::path& file, const Array& array) {
    fs::create_directories(file.parent_path());
    const std::string bytes = npy(array);
    std::ofstream out(file, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) throw Error(LEVIN_E_IO, file.string() + " cannot be written");
  }

  fs::path output_dir_;
  bool by_batch_, by_epoch_;
  std::map<std::string, Array> all_;
};

}  // namespace
}  // namespace levin::prediction_writer

LEVIN_PLUGIN("levin.prediction_writer", "0.1.0", "Apache-2.0",
             levin::callback<levin::prediction_writer::PredictionWriter>("prediction_writer",
                                                                         "Writes predictions as .npy files"))
