// The options of the image folder data module.
#pragma once
#include <string>

#include "../common/damaged_rows.hpp"
#include "../common/split_options.hpp"
#include "crop.hpp"
#include "levin/images/transforms.hpp"

namespace image_folder {

inline constexpr int64_t default_size = 48;
inline constexpr const char* resize_ways[] = {"cover", "stretch", "pad", nullptr};
inline constexpr const char* crop_ways[] = {"center", "random", "resized", nullptr};

inline constexpr levin_option own_options[] = {
    levin::required(levin::path("dir", nullptr,
                                "folder of class folders, or of train, val and test with class folders in them; with "
                                "labels: folder of images")),
    levin::path("labels", "\"\"", "CSV file that gives the class of each image in dir, instead of class folders"),
    levin::text("file_column", "\"0\"", "column of labels that holds the image paths, relative to dir: name or index"),
    levin::text("label_column", "\"1\"", "column of labels that holds the classes: name or index"),
    levin::path("predict_dir", "\"\"", "folder of images to predict, without classes; empty = the test images, or all"),
    levin::integer("size", "48", "height and width of the images given to the model; ImageNet uses 224", 1, 8192),
    levin::with(levin::integer("width", "null", "width of the images, if it differs from the height", 1, 8192),
                LEVIN_OPT_NULLABLE),
    levin::integer("channels", "3", "3 = red, green, blue; 1 = grey", 1, 3),
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
    levin::text("mean", "\"imagenet\"",
                "mean to subtract from pixels in 0..1: imagenet, a number, or one for each channel"),
    levin::text("std", "\"imagenet\"", "standard deviation to divide by: imagenet, a number, or one for each channel"),
    levin::integer("background", "255", "grey level below transparent parts and around padded images", 0, 255),
    levin::choice("damaged", "\"stop\"",
                  "images that cannot be read: stop at the first, check all before the run and stop, or skip them",
                  common::damaged_ways),
    levin::number("max_megapixels", "100",
                  "maximum size of an image in megapixels; larger ones count as damaged (4 MB of memory a megapixel)",
                  0.001, 1e4)};
inline constexpr auto image_options = common::joined(own_options, common::split_options);

// Options for the conversion of an image into numbers.
struct ImageOptions {
  explicit ImageOptions(const levin::Args& o);

  levin::images::Transforms transforms;  // in place of size, resize, crop, crop_pct, min_area and flip
  Size size;                             // of the images given to the model
  int64_t channels;
  std::string resize, crop;
  double crop_pct, min_area;
  bool flip;
  std::vector<double> mean, deviation;  // per channel
  uint8_t background;
  int64_t max_pixels;
};

// Options for finding and splitting the images.
struct FolderOptions {
  explicit FolderOptions(const levin::Args& o);

  std::string dir, labels, file_column, label_column, predict_dir;
  std::string damaged;
  double test_fraction;
  common::Splitting splitting;
};

}  // namespace image_folder
