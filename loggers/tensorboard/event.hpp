// Encodes events for TensorBoard, with the field numbers of event.proto, summary.proto and the hparams plugin.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace levin::tensorboard {

struct When {
  double wall_time;  // seconds since 1970
  int64_t step;
};

// The first event of a file. writer: at most 64 bytes.
std::string file_version_event(double wall_time, const std::string& writer);
std::string written_by(const std::string& writer);  // the last bytes of that event
// Makes readers drop the events of earlier files from this step on.
std::string restart_event(const When& when);
// One event with these values, which are made by the functions below.
std::string summary_event(const When& when, const std::vector<std::string>& values);

// One event with a graph of nodes. text: the JSON of levin::Media::graph. Throws std::exception for another text.
std::string graph_event(const When& when, const std::string& text);

std::string scalar_value(const std::string& tag, double value);  // stored as a float
std::string text_value(const std::string& tag, const std::string& text);
std::string image_value(const std::string& tag, int64_t height, int64_t width, int64_t channels,
                        const std::string& png);
std::string audio_value(const std::string& tag, double samples_per_second, int64_t channels, int64_t n,
                        const std::string& wav);
std::string histogram_value(const std::string& tag, const std::vector<double>& samples);
// text: the JSON of levin::Media::pr_curve and levin::Media::layout. Both throw std::exception for another text.
std::string pr_curve_value(const std::string& tag, const std::string& text);
std::string layout_value(const std::string& text);

}  // namespace levin::tensorboard
