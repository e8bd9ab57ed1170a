#include "options.hpp"

namespace image_folder {
namespace {

[[noreturn]] void refuse_option(const std::string& what) { throw levin::Error(LEVIN_E_INVALID, what); }

// Throws levin::Error for options that the list replaces.
void refuse_beside_transforms(const levin::Args& o) {
  const auto refuse = [](const std::string& option, const std::string& instead) {
    refuse_option("--data." + option + " may not be combined with --data.transforms: " + instead);
  };
  if (o.integer("size") != default_size) refuse("size", "the list decides on the size, as resize:N:N");
  if (!o.is_null("width")) refuse("width", "the list decides on the size, as resize:HEIGHT:WIDTH");
  if (o.text("resize") != "cover") refuse("resize", "put resize:HEIGHT:WIDTH or pad:N into the list");
  if (o.number("crop_pct") < 1) refuse("crop_pct", "put resize:N, center_crop:M into the list");
  if (o.text("crop") != "center") refuse("crop", "put random_crop:N or random_resized_crop:N into the list");
  if (o.flag("flip")) refuse("flip", "put flip into the list");
}

}  // namespace

ImageOptions::ImageOptions(const levin::Args& o)
    : transforms(o.text("transforms")),
      views(o.integer("views")),
      pixels(o, transforms.empty() || transforms.normalizes()),
      size{o.is_null("width") ? o.integer("size") : o.integer("width"), o.integer("size")},
      resize(o.text("resize")),
      crop(o.text("crop")),
      crop_pct(o.number("crop_pct")),
      min_area(o.number("min_area")),
      flip(o.flag("flip")) {
  if (resize == "pad" && (crop_pct < 1 || crop == "random"))
    refuse_option("resize pad keeps the whole image: leave crop_pct and crop out, or give resize cover");
  levin::images::require_views(views, transforms);
  if (transforms.empty()) return;
  refuse_beside_transforms(o);
  const levin::images::Shape shape = transforms.after_any(pixels.channels, o.text("transforms"));
  size = {shape.width, shape.height};
}

FolderOptions::FolderOptions(const levin::Args& o)
    : dir(o.text("dir")),
      labels(o.text("labels")),
      file_column(o.text("file_column")),
      label_column(o.text("label_column")),
      group(o.text("group")),
      val_labels(o.text("val_labels")),
      synset_names(o.text("synset_names")),
      predict_dir(o.text("predict_dir")),
      damaged(o.text("damaged")),
      splitting(o, group.empty() ? "" : "--data.group " + group) {
  if (!group.empty() && labels.empty())
    refuse_option("--data.group " + group + " names a column of --data.labels: give the file, or leave it out");
}

}  // namespace image_folder
