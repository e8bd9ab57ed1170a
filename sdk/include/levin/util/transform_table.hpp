// The transforms of images that have a name, for --data.transforms and `host help transforms`. A row has the name, the
// arguments that may follow it, and what the transform does. The name is also the struct that transforms an image, in
// levin/images/FAMILY.hpp. Arguments are numbers, given in the order of the row; each is one of
//   NAME         must be given
//   NAME=NUMBER  a number and its default
//   NAME=NAME    has the value of an earlier argument by default
#pragma once
#include <vector>

// clang-format off
#define LEVIN_GEOMETRY_TRANSFORMS(TRANSFORM) \
  TRANSFORM(resize, "height width=0", "scale with antialiasing; without a width the shorter side becomes the height") \
  TRANSFORM(pad, "pixels fill=0", "add pixels on each side") \
  TRANSFORM(center_crop, "size", "cut out the middle; smaller images get a black border") \
  TRANSFORM(random_crop, "size pad=0", "pad, then cut out a random place; outside training the middle") \
  TRANSFORM(random_resized_crop, "size min_area=0.08", "scale a part of random area and aspect ratio; outside training the middle") \
  TRANSFORM(flip, "probability=0.5", "flip horizontally at random") \
  TRANSFORM(vertical_flip, "probability=0.5", "flip vertically at random")

#define LEVIN_WARP_TRANSFORMS(TRANSFORM) \
  TRANSFORM(rotate, "degrees", "rotate by a random angle, of up to this size") \
  TRANSFORM(affine, "degrees=0 translate=0 scale=0 shear=0", "rotate, move by a part of the size, scale by 1 +- scale and shear by degrees, at random")

#define LEVIN_COLOUR_TRANSFORMS(TRANSFORM) \
  TRANSFORM(grey, "", "replace colours by grey; the number of channels stays") \
  TRANSFORM(random_grey, "probability=0.1", "replace colours by grey at random") \
  TRANSFORM(color_jitter, "brightness=0.4 contrast=brightness saturation=brightness hue=0", "change each by a random factor of up to 1 +- the number; hue: up to 0.5")

#define LEVIN_DAMAGE_TRANSFORMS(TRANSFORM) \
  TRANSFORM(blur, "probability=0.5 min_sigma=0.1 max_sigma=2", "blur by a Gaussian of random width, at random") \
  TRANSFORM(erase, "probability=0.5 min_area=0.02 max_area=0.33 fill=0", "fill a random rectangle at random")

#define LEVIN_AUGMENT_TRANSFORMS(TRANSFORM) \
  TRANSFORM(randaugment, "operations=2 magnitude=9", "RandAugment: random operations of one strength, of up to 30") \
  TRANSFORM(trivialaugment, "", "TrivialAugment: one random operation of random strength")

#define LEVIN_MIX_TRANSFORMS(TRANSFORM) \
  TRANSFORM(mixup, "alpha=0.2", "add each image of a training batch and the next one, by random parts; targets become probabilities") \
  TRANSFORM(cutmix, "alpha=1", "put a random rectangle of the next image of the batch into each; targets become probabilities")
// clang-format on

// The last of a list. It makes numbers of the bytes.
#define LEVIN_NORMALIZE_TRANSFORM(TRANSFORM) \
  TRANSFORM(normalize, "", "subtract --data.mean and divide by --data.std; without it numbers are from 0 to 1")

#pragma GCC visibility push(hidden)
namespace levin::images {

struct TransformRow {
  const char *name, *arguments, *summary;
};
struct TransformFamily {
  const char* name;  // "geometry"
  std::vector<TransformRow> rows;
};

inline const std::vector<TransformFamily>& transform_families() {
#define LEVIN_TRANSFORM_ROW(name, arguments, summary) {#name, arguments, summary},
  static const std::vector<TransformFamily> all = {
      {"geometry", {LEVIN_GEOMETRY_TRANSFORMS(LEVIN_TRANSFORM_ROW)}},
      {"warps", {LEVIN_WARP_TRANSFORMS(LEVIN_TRANSFORM_ROW)}},
      {"colour", {LEVIN_COLOUR_TRANSFORMS(LEVIN_TRANSFORM_ROW)}},
      {"damage", {LEVIN_DAMAGE_TRANSFORMS(LEVIN_TRANSFORM_ROW)}},
      {"augmentation", {LEVIN_AUGMENT_TRANSFORMS(LEVIN_TRANSFORM_ROW)}},
      {"batches", {LEVIN_MIX_TRANSFORMS(LEVIN_TRANSFORM_ROW)}},
      {"numbers", {LEVIN_NORMALIZE_TRANSFORM(LEVIN_TRANSFORM_ROW)}},
  };
#undef LEVIN_TRANSFORM_ROW
  return all;
}

}  // namespace levin::images
#pragma GCC visibility pop
