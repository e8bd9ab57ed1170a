// Writes TensorBoard event files with scalars, hyper-parameters, texts, tables, images, videos, audio, histograms, PR
// curves, graphs and layouts, embeddings, and hparams.yaml, as Lightning's TensorBoardLogger.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "../common/append_file.hpp"
#include "../common/hparams_file.hpp"
#include "../common/text_file.hpp"
#include "../common/values.hpp"
#include "embeddings.hpp"
#include "event.hpp"
#include "event_files.hpp"
#include "gif.hpp"
#include "hparams.hpp"
#include "levin/logger.hpp"
#include "levin/util/terminal.hpp"
#include "markdown.hpp"
#include "record.hpp"
#include "wav.hpp"

namespace fs = std::filesystem;

namespace levin::tensorboard {
namespace {

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// The state of the event files at a checkpoint.
struct Position {
  std::vector<EventFile> files;
  int64_t next_step = 0;  // after the steps of all events
};

class TensorBoard : public Logger {
 public:
  static constexpr levin_option options[] = {
      text("prefix", "\"\"", "prefix of the metric names, joined with -"),
      flag("log_hyperparams", "true", "write the options of the run for the HPARAMS page"),
      flag("default_hp_metric", "true", "log hp_metric = -1, so that the HPARAMS page shows runs without a metric"),
  };
  static constexpr uint64_t flags = LEVIN_F_OFF_IN_FAST_DEV_RUN;

  explicit TensorBoard(const Args& args)
      : prefix_(args.text("prefix")),
        log_hyperparams_(args.flag("log_hyperparams")),
        default_hp_metric_(args.flag("default_hp_metric")) {
    if (!prefix_.empty()) prefix_ += "-";
  }

  void begin(const LoggerBegin& b) {
    fs::create_directories(run_dir_ = b.run_dir);
    hparams_.write(b.run_dir, b.hparams_json);
    const bool goes_on = b.resumed_step >= 0;
    const EventFiles files(b.run_dir, "levin " + name());
    goes_on ? go_on(files, b.resumed_step) : begin_anew(files, b.run_dir);
    goes_on ? embeddings_.go_on(b.run_dir, loaded_embeddings_) : embeddings_.begin_anew(b.run_dir);
    fs::path path;
    file_ = files.create(path);
    now_.files.push_back({path.filename().string(), 0});
    append(file_version_event(wall_time(), "levin " + name()));
    if (goes_on)
      append(restart_event({wall_time(), now_.next_step}));
    else if (log_hyperparams_)
      write_hyperparams(hparams_of_json(b.hparams_json));
    if (b.resumed_step < 0 && (!b.run_name.empty() || !b.tags.empty()))
      append(summary_event({wall_time(), 0}, {text_value("run", markdown_run(b.run_name, b.tags))}));
    flush();
  }

  void metrics(int64_t step, const Metrics& m) {
    std::vector<std::string> values;
    for (uint32_t i = 0; i < m.size; ++i) values.push_back(scalar_value(prefix_ + m.names[i], m.values[i]));
    append(summary_event({wall_time(), step}, values));
    reach(step);
  }

  void media(const levin_media& m) {
    const std::string kind = m.kind;
    if (kind == "text" && m.text)
      show(m, text_value(m.tag, m.text));
    else if (kind == "table" && m.text)
      show(m, text_value(m.tag, markdown_table(m.text)));
    else if ((kind == "image" || kind == "figure") && m.view)
      show(m, picture(m));
    else if (kind == "video" && m.view)
      show(m, moving_picture(m));
    else if (kind == "audio" && m.view)
      show(m, sound(m));
    else if (kind == "histogram" && m.view)
      show(m, histogram_value(m.tag, samples(*m.view)));
    else if (kind == "pr_curve" && m.text)
      show(m, pr_curve_value(m.tag, m.text));
    else if (kind == "layout" && m.text)
      show(m, layout_value(m.text));
    else if (kind == "graph" && m.text)
      show_graph(m);
    else if (kind == "embedding" && m.view)
      embeddings_.add(m);
    else if (unknown_.insert(kind).second)
      warn("event files have no media of the kind " + kind + ": '" + m.tag + "' and others of it are left out");
    if (m.caption && !unknown_.count(kind)) show(m, text_value(std::string(m.tag) + "/caption", m.caption));
  }

  // Writes late hyper-parameters as text, because the HPARAMS page reads only the ones at the start of a run.
  void hparams(const std::string& json) {
    hparams_.add(json);
    if (log_hyperparams_) append(summary_event({wall_time(), 0}, {text_value("hparams", markdown_code(json))}));
  }

  void flush() {
    if (file_) file_->flush();
  }

  void finalize(const std::string& status) {
    if (!file_) return;
    if (log_hyperparams_)
      append(summary_event({wall_time(), 0}, {session_end_value(status == "success", wall_time())}));
    flush();
    file_.reset();
    if (status == "success" && now_.next_step > 1) info("curves: tensorboard --logdir " + path_from_here(run_dir_));
  }

  // Saves the sizes of the files to keep on resume. The host syncs the file before the checkpoint becomes visible.
  void save(Writer writer) const {
    if (file_) file_->flush();
    const Position& position = loaded_ ? *loaded_ : now_;
    std::string names;  // each followed by a line break
    std::vector<uint64_t> sizes;
    for (const EventFile& file : position.files) {
      names += file.name + '\n';
      sizes.push_back(file.bytes);
    }
    writer.put("files", names);
    writer.put("bytes", sizes);
    writer.put("next_step", position.next_step);
    writer.put("embeddings", loaded_ ? loaded_embeddings_.value_or("") : embeddings_.lines());
  }
  void load(Reader reader) {
    Position saved;
    std::string names;
    std::vector<uint64_t> sizes;
    if (!reader.get("files", names) || !reader.get("bytes", sizes) || !reader.get("next_step", saved.next_step)) return;
    size_t at = 0;
    for (const uint64_t bytes : sizes) {
      const size_t end = names.find('\n', at);
      const std::string name = end == std::string::npos ? "" : names.substr(at, end - at);
      if (name.rfind("events.out.tfevents.", 0) != 0 || name.find('/') != std::string::npos)
        throw Error(LEVIN_E_STATE, "files and bytes do not say what event files there were");
      saved.files.push_back({name, bytes});
      at = end + 1;
    }
    loaded_ = saved;
    if (std::string lines; reader.get("embeddings", lines)) loaded_embeddings_ = lines;
  }

 private:
  void append(const std::string& event) {
    if (!file_) throw Error(LEVIN_E_IO, "there is no event file: begin comes before, finalize behind");
    const std::string bytes = record(event);
    file_->write(bytes);
    now_.files.back().bytes += bytes.size();
  }
  void reach(int64_t step) { now_.next_step = std::max(now_.next_step, step + 1); }
  void show(const levin_media& m, const std::string& value) {
    append(summary_event({wall_time(), m.step}, {value}));
    reach(m.step);
  }

  // A graph as other programs write it, such as DOT, is shown as a text.
  void show_graph(const levin_media& m) {
    if (*m.text != '{') return show(m, text_value(m.tag, "```\n" + std::string(m.text) + "\n```"));
    append(graph_event({wall_time(), m.step}, m.text));
    reach(m.step);
  }

  void begin_anew(const EventFiles& files, const std::string& run_dir) {
    now_ = {};
    loaded_.reset();
    if (const std::string aside = files.set_aside(); !aside.empty())
      warn("the event files of an earlier run in " + run_dir + " are now in its folder " + aside);
  }
  // Cuts the files. The restart event at the start of the new file is for a TensorBoard that has already read them.
  void go_on(const EventFiles& files, int64_t step) {
    now_ = loaded_ ? *loaded_ : Position{{}, step + 1};  // older checkpoints lack the sizes of the files
    if (!std::exchange(loaded_, std::nullopt)) return;
    for (const std::string& missing : files.cut(now_.files))
      warn(missing + ": not all that was logged before the checkpoint is there");
  }

  void write_hyperparams(const HParams& params) {
    const double now = wall_time();
    const std::vector<std::string> metrics(default_hp_metric_ ? 1 : 0, "hp_metric");
    append(summary_event({now, 0}, {experiment_value(params, metrics)}));
    append(summary_event({now, 0}, {session_start_value(params, now)}));
    if (default_hp_metric_) append(summary_event({now, 0}, {scalar_value("hp_metric", -1)}));
  }

  static std::string picture(const levin_media& m) {
    const levin_view& v = *m.view;
    const std::string file = loggers::png_of(m);  // checks the view
    return image_value(m.tag, v.shape[0], v.shape[1], v.shape[2], file);
  }

  static std::string moving_picture(const levin_media& m) {
    const Video video{loggers::pixels_of(m, 4), m.view->shape[0], m.view->shape[1], m.view->shape[2], m.view->shape[3]};
    return image_value(m.tag, video.height, video.width, video.channels, gif(video, m.rate));
  }

  static std::string sound(const levin_media& m) {
    const levin_view& v = *m.view;
    if (v.ndim != 2 || v.strides || v.dtype.code != LEVIN_FLOAT || v.dtype.bits != 32)
      throw Error(LEVIN_E_INVALID,
                  std::string("audio '") + m.tag + "' has to be row-major float32 of samples x channels");
    const auto* at = reinterpret_cast<const float*>(static_cast<const char*>(v.data) + v.byte_offset);
    return audio_value(m.tag, m.rate, v.shape[1], v.shape[0], wav(at, v.shape[0], v.shape[1], m.rate));
  }

  static std::vector<double> samples(const levin_view& v) {
    if (v.ndim != 1 || v.dtype.code != LEVIN_FLOAT || v.dtype.bits != 64)
      throw Error(LEVIN_E_INVALID, "a histogram has to be one row of float64 samples");
    const auto* at = reinterpret_cast<const double*>(static_cast<const char*>(v.data) + v.byte_offset);
    std::vector<double> out;
    for (int64_t i = 0; i < v.shape[0]; ++i) out.push_back(at[v.strides ? i * v.strides[0] : i]);
    return out;
  }

  std::string prefix_, run_dir_;
  bool log_hyperparams_, default_hp_metric_;
  loggers::HparamsFile hparams_;
  Embeddings embeddings_;
  std::optional<std::string> loaded_embeddings_;  // from the checkpoint
  std::set<std::string> unknown_;                 // kinds of media with a warning
  std::unique_ptr<loggers::AppendFile> file_;
  Position now_;                    // including buffered bytes of file_
  std::optional<Position> loaded_;  // from the checkpoint, until begin
};

}  // namespace
}  // namespace levin::tensorboard

LEVIN_PLUGIN("levin.tensorboard", "0.1.0", "Apache-2.0",
             levin::logger<levin::tensorboard::TensorBoard>("tensorboard", "Writes event files for TensorBoard"));
