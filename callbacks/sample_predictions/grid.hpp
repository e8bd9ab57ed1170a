// A grid of pictures with texts below them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace levin::sample_predictions {

struct Picture {
  int64_t channels = 1, height = 0, width = 0;  // 1 channel: grey; 3: RGB
  std::vector<double> values;                   // [channels, height, width], row-major
  bool bytes = false;                           // values are from 0 to 255; otherwise they are shown from the least to
                                                // the largest one of the picture
};

enum class Verdict { right, wrong, number };

struct Sample {
  Picture picture;
  std::string prediction, target;
  Verdict verdict = Verdict::number;
};

struct Pixels {
  int64_t height = 0, width = 0;
  std::vector<uint8_t> rgb;  // [height, width, 3]
};

// Draws the samples from left to right and from top to bottom, in about as many rows as columns. Below each picture is
// its prediction: green if it is right, red if it is wrong. Below a wrong one and a number is the target. A picture of
// more than 256 pixels is made smaller.
Pixels draw_grid(const std::vector<Sample>& samples);

// Returns the same as text: "cat; dog (true: cat)".
std::string texts_of(const std::vector<Sample>& samples);

}  // namespace levin::sample_predictions
