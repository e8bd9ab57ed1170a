// The options of the image folder data module.
#pragma once
#include <string>

#include "../common/pictures/picture_options.hpp"
#include "../common/split_options.hpp"
#include "crop.hpp"
#include "levin/images/batch.hpp"

namespace image_folder {

inline constexpr int64_t default_size = 48;
inline constexpr const char* resize_ways[] = {"cover", "stretch", "pad", nullptr};
inline constexpr const char* crop_ways[] = {"center", "random", "resized", nullptr};

inline constexpr levin_option own_options[] = {
    levin::required(levin::path("dir", nullptr,
                                "folder of class folders, or of train, val and test with class folders in them; with "
                                "labels: folder of images")),
    levin::path("labels", "\"\"",
                "CSV or JSON file that gives the class of each image in dir, instead of class folders; JSON: "
                "[{\"file\": \"a.png\", \"label\": \"cat\"}, ...]"),
    levin::text("file_column", "\"0\"", "column of labels that holds the image paths, relative to dir: name or index"),
    levin::text("label_column", "\"1\"", "column of labels that holds the classes: name or index"),
    levin::text("group", "\"\"", "column of labels whose equal values keep images in one split; empty = none"),
    levin::path("val_labels", "\"\"",
                "CSV or JSON file that gives the class folder of each image in val, if val has no class folders"),
    levin::path("synset_names", "\"\"",
                "text file with a class folder and its name in each line, as ImageNet's LOC_synset_mapping.txt"),
    levin::path("predict_dir", "\"\"", "folder of images to predict, without classes; empty = the test images, or all"),
    levin::integer("size", "48", "height and width of the images given to the model; ImageNet uses 224", 1, 8192),
    levin::with(levin::integer("width", "null", "width of the images, if it differs from the height", 1, 8192),
                LEVIN_OPT_NULLABLE),
    levin::choice("resize", "\"cover\"", "cover = scale and cut off, stretch, or pad with background", resize_ways),
    levin::with(levin::number("crop_pct", "1", "fraction of each side that is kept; ImageNet uses 0.875", 0.01, 1),
                LEVIN_OPT_TUNABLE),
    levin::choice("crop", "\"center\"",
                  "crop of training images: center, random place, or random size (resized, as RandomResizedCrop)",
                  crop_ways),
    levin::with(levin::number("min_area", "0.08", "minimum fraction of the image area with crop resized", 0.001, 1),
                LEVIN_OPT_TUNABLE),
    levin::flag("flip", "false", "flip training images horizontally at random"),
    levin::images::transforms_option,
    levin::images::views_option};
inline constexpr auto image_options =
    common::joined(own_options, common::joined(common::picture_options, common::split_options));

// Options for the conversion of an image into numbers.
struct ImageOptions {
  explicit ImageOptions(const levin::Args& o);

  levin::images::Transforms transforms;  // in place of size, resize, crop, crop_pct, min_area and flip
  int64_t views;                         // 1 or 2, by transforms
  common::PictureOptions pixels;
  Size size;  // of the images given to the model
  std::string resize, crop;
  double crop_pct, min_area;
  bool flip;
};

// Options for finding and splitting the images.
struct FolderOptions {
  explicit FolderOptions(const levin::Args& o);

  std::string dir, labels, file_column, label_column, group, val_labels, synset_names, predict_dir;
  std::string damaged;
  common::Splitting splitting;
};

}  // namespace image_folder
