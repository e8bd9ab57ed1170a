#include "media.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "../common/values.hpp"
#include "position.hpp"

namespace levin::wandb {
namespace {

std::string path_of(const levin_media& m, const char* folder, int64_t row, const char* ending) {
  std::string name = std::string(m.tag).substr(0, 100);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  return std::string("media/") + folder + "/" + name + "_" + std::to_string(row) + ending;
}

MediaValue with_file(Json json, const std::string& path, std::string file, const char* caption) {
  json["path"] = path;
  json["size"] = file.size();
  if (caption) json["caption"] = caption;
  return {json_text(json), path, std::move(file)};
}

MediaValue image(const levin_media& m, int64_t row) {
  std::string file = loggers::png_of(m);  // checks the view
  return with_file(
      {{"_type", "image-file"}, {"format", "png"}, {"width", m.view->shape[1]}, {"height", m.view->shape[0]}},
      path_of(m, "images", row, ".png"), std::move(file), m.caption);
}

MediaValue table(const levin_media& m, int64_t row) {
  const Json given = Json::parse(m.text);
  const Json file = {{"columns", given.at("columns")}, {"data", given.at("rows")}};
  return with_file({{"_type", "table-file"}, {"ncols", file["columns"].size()}, {"nrows", file["data"].size()}},
                   path_of(m, "table", row, ".table.json"), json_text(file), nullptr);
}

MediaValue histogram(const levin_media& m) {
  const levin_view& v = *m.view;
  if (v.ndim != 1 || v.strides || v.dtype.code != LEVIN_FLOAT || v.dtype.bits != 64)
    throw Error(LEVIN_E_INVALID, std::string("histogram '") + m.tag + "' has to be one row of float64 samples");
  const auto* at = reinterpret_cast<const double*>(static_cast<const char*>(v.data) + v.byte_offset);
  std::vector<double> samples;
  std::copy_if(at, at + v.shape[0], std::back_inserter(samples), [](double x) { return std::isfinite(x); });
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  const double low = samples.empty() ? 0 : *least, high = samples.empty() ? 0 : *most;
  const size_t bins = high > low ? 64 : 1;
  const double top = high > low ? high : low + 1;
  // Where x is between the ends, from 0 to 1. Halves, because the difference of two finite numbers can overflow.
  const auto share = [&](double x) { return high > low ? (x / 2 - low / 2) / (high / 2 - low / 2) : 0; };
  std::vector<int64_t> counts(bins);
  for (const double x : samples)
    ++counts[std::min(bins - 1, static_cast<size_t>(share(x) * static_cast<double>(bins)))];
  std::vector<double> edges;
  for (size_t i = 0; i <= bins; ++i) {
    const double along = static_cast<double>(i) / static_cast<double>(bins);
    edges.push_back(low * (1 - along) + top * along);
  }
  return {json_text({{"_type", "histogram"}, {"values", counts}, {"bins", edges}}), "", ""};
}

}  // namespace

std::optional<MediaValue> media_value(const levin_media& media, int64_t row) {
  const std::string kind = media.kind;
  if ((kind == "image" || kind == "figure") && media.view) return image(media, row);
  if (kind == "histogram" && media.view) return histogram(media);
  if (kind == "table" && media.text) return table(media, row);
  if (kind == "text" && media.text) return MediaValue{json_text(Json(media.text)), "", ""};
  return std::nullopt;
}

}  // namespace levin::wandb
