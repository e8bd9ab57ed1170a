// Synthetic data of any size: a Gaussian blob per class, or numbers that are a linear function of the features.
#include <algorithm>
#include <cmath>

#include "levin/levin.hpp"

namespace synthetic {

// The mixing function of SplitMix64: number k of a stream, the same on every machine.
uint64_t mixed(uint64_t k) {
  k += UINT64_C(0x9e3779b97f4a7c15);
  k = (k ^ (k >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  k = (k ^ (k >> 27)) * UINT64_C(0x94d049bb133111eb);
  return k ^ (k >> 31);
}
double normal(uint64_t stream, uint64_t k) {
  const double u = static_cast<double>((mixed(stream ^ mixed(2 * k)) >> 11) + 1) * 0x1p-53;
  const double v = static_cast<double>(mixed(stream ^ mixed(2 * k + 1)) >> 11) * 0x1p-53;
  return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
}

struct Rows {
  std::vector<float> x;        // [rows, row size]
  std::vector<int64_t> label;  // for classification
  std::vector<float> number;   // for regression
};

class Synthetic : public levin::DataModule {
 public:
  static constexpr bool concurrent = true;
  static constexpr uint64_t flags = LEVIN_F_ISOLATABLE;
  static constexpr levin_option options[] = {
      levin::integer("rows", "4096", "training rows", 1, 1e8),
      levin::integer("val_rows", "512", "validation rows", 0, 1e8),
      levin::integer("test_rows", "512", "test rows", 0, 1e8),
      levin::integer("classes", "10", "number of classes; 0 = regression", 0, 1e6),
      levin::integer("features", "64", "features of a row, if size is 0", 1, 1e7),
      levin::integer("channels", "1", "channels of an image", 1, 4096),
      levin::integer("size", "0", "height and width of an image; 0 = rows are vectors of features", 0, 8192),
      levin::with(levin::number("noise", "0.5", "standard deviation of the rows of a class, or of the target", 0, 1e3),
                  LEVIN_OPT_TUNABLE),
      levin::integer("seed", "0", "seed of the data set", 0, 9e15)};

  explicit Synthetic(const levin::Args& o)
      : classes_(o.integer("classes")),
        noise_(o.number("noise")),
        seed_(mixed(static_cast<uint64_t>(o.integer("seed")))) {
    if (classes_ == 1)
      throw levin::Error(LEVIN_E_INVALID, "classes is 1: there is nothing to tell apart; give 2 or more, or 0");
    const int64_t size = o.integer("size");
    shape_ = size > 0 ? std::vector<int64_t>{o.integer("channels"), size, size}
                      : std::vector<int64_t>{o.integer("features")};
    for (int64_t d : shape_) row_size_ *= static_cast<size_t>(d);
    rows_[0] = o.integer("rows"), rows_[1] = o.integer("val_rows"), rows_[2] = rows_[3] = o.integer("test_rows");
  }

  void setup() {
    if (centres_.empty()) make_centres();
    for (uint32_t split = 0; split < 3; ++split)
      if (made_[split].x.empty() && rows_[split] > 0) make(split);
  }

  std::vector<levin::Field> fields() {
    const levin::Field number{"y", levin::float32, {}, LEVIN_ROLE_TARGET, 0, {}};
    return {levin::input("x", levin::float32, shape_), classes_ > 0 ? levin::target("y", classes_) : number};
  }
  int64_t rows(levin::Split split) { return rows_[static_cast<uint32_t>(split)]; }

  void fill(const levin::Fill& in, const levin_view* out) {
    const Rows& from = in.split == levin::Split::predict ? made_[2] : made_[static_cast<uint32_t>(in.split)];
    float* x = static_cast<float*>(out[0].data);
    for (int64_t i = 0; i < in.n; ++i, x += row_size_) {
      if (in.indices[i] < 0 || in.indices[i] >= rows(in.split))
        throw levin::Error(LEVIN_E_INVALID, "there is no row " + std::to_string(in.indices[i]));
      const size_t row = static_cast<size_t>(in.indices[i]);
      std::memcpy(x, from.x.data() + row * row_size_, row_size_ * sizeof(float));
      if (classes_ > 0)
        static_cast<int64_t*>(out[1].data)[i] = from.label[row];
      else
        static_cast<float*>(out[1].data)[i] = from.number[row];
    }
  }

 private:
  // Creates the centres of the classes, or the weights of the linear function, from streams that no row uses.
  void make_centres() {
    for (uint64_t c = 0; c < static_cast<uint64_t>(std::max<int64_t>(1, classes_)); ++c)
      for (size_t j = 0; j < row_size_; ++j) centres_.push_back(static_cast<float>(normal(seed_ ^ mixed(c + 16), j)));
  }
  void make(uint32_t split) {
    Rows& made = made_[split];
    const size_t n = static_cast<size_t>(rows_[split]);
    const uint64_t stream = seed_ ^ mixed(split + 1);
    made.x.resize(n * row_size_);
    for (size_t row = 0; row < n; ++row) {
      float* x = made.x.data() + row * row_size_;
      if (classes_ > 0)
        make_of_class(row, stream, made, x);
      else
        make_number(row, stream, made, x);
    }
  }
  void make_of_class(size_t row, uint64_t stream, Rows& made, float* x) const {
    made.label.push_back(static_cast<int64_t>(mixed(stream ^ row) % static_cast<uint64_t>(classes_)));
    const float* centre = centres_.data() + static_cast<size_t>(made.label.back()) * row_size_;
    for (size_t j = 0; j < row_size_; ++j)
      x[j] = static_cast<float>(centre[j] + noise_ * normal(stream, row * row_size_ + j));
  }
  void make_number(size_t row, uint64_t stream, Rows& made, float* x) const {
    double sum = noise_ * normal(stream + 1, row);
    for (size_t j = 0; j < row_size_; ++j) {
      x[j] = static_cast<float>(normal(stream, row * row_size_ + j));
      sum += x[j] * centres_[j] / std::sqrt(static_cast<double>(row_size_));
    }
    made.number.push_back(static_cast<float>(sum));
  }

  int64_t classes_;
  double noise_;
  uint64_t seed_;
  std::vector<int64_t> shape_;
  size_t row_size_ = 1;
  int64_t rows_[LEVIN_SPLITS];
  std::vector<float> centres_;  // [classes or 1, row size]
  Rows made_[3];
};

}  // namespace synthetic

LEVIN_PLUGIN("levin.synthetic", "0.1.0", "Apache-2.0",
             levin::data_module<synthetic::Synthetic>("synthetic", "Made-up classes or numbers, of any size"))
