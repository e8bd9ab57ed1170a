// Points in a square, of two classes: which of the two numbers is the larger one.
#include <levin/data_module.hpp>

#include <cstdint>
#include <vector>

namespace {

// The same number for the same seed, so that a row is the same whenever it is asked for.
float uniform(uint64_t seed) {
  seed += 0x9e3779b97f4a7c15u;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebu;
  return static_cast<float>((seed ^ (seed >> 31)) >> 40) / 16777216.0f;
}

class MyPlugin : public levin::DataModule {
 public:
  static constexpr bool concurrent = true;  // get may run on several threads at once
  static constexpr levin_option options[] = {levin::integer("rows", "4096", "training rows", 1, 1e9)};
  explicit MyPlugin(const levin::Args& args) : rows_(args.integer("rows")) {}

  std::vector<levin::Field> fields() { return {levin::input("x", levin::float32, {2}), levin::target("y", 2)}; }
  int64_t rows(levin::Split split) { return split == levin::Split::train ? rows_ : 512; }
  void get(levin::Split split, int64_t index, levin::Row& row) {
    const uint64_t seed = (static_cast<uint64_t>(split) << 40 | static_cast<uint64_t>(index)) * 2;
    float* x = row.data<float>(0);
    x[0] = uniform(seed);
    x[1] = uniform(seed + 1);
    row.data<int64_t>(1)[0] = x[1] > x[0];
  }

 private:
  int64_t rows_;
};

}  // namespace

LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0",
             levin::data_module<MyPlugin>("my_plugin", "Points of two classes"))
