// Data modules and callbacks, each of which breaks one rule of host check.
#include <levin/levin.hpp>

#include <atomic>
#include <cstring>
#include <limits>

namespace {

enum class Fault {
  none,
  counts,
  order,
  batch,
  overflow,
  unwritten,
  label,
  threads,
  fields,
  state,
  extreme,
  changes,
  late_nan,
  late_label,
  late_throw
};
constexpr bool is_late(Fault fault) {
  return fault == Fault::late_nan || fault == Fault::late_label || fault == Fault::late_throw;
}

template <Fault fault>
struct Rows : levin::DataModule {
  static constexpr bool concurrent = true;
  static constexpr levin_option options[] = {levin::integer("width", "2", "numbers in a row", 1, 4)};
  const int64_t width;
  std::atomic<int> calls{0}, inside{0};
  int64_t kept = 0;
  explicit Rows(const levin::Args& o) : width(o.integer("width")) {
    if (fault == Fault::extreme && width == 4) throw 3;
    static int64_t made = 0;
    kept = ++made;
  }
  std::vector<levin::Field> fields() {
    levin::Field x = levin::input("x", levin::float32, {width});
    if (fault == Fault::changes) x.shape[0] += calls++;
    levin::Field y = levin::target(fault == Fault::fields ? "x" : "y", 3);
    return {x, y};
  }
  int64_t rows(levin::Split split) {
    return split == levin::Split::predict ? 0 : is_late(fault) && split == levin::Split::train ? 640 : 30;
  }
  void fill(const levin::Fill& in, const levin_view* out) {
    const int now = ++inside, call = ++calls;
    auto* x = static_cast<float*>(out[0].data);
    auto* y = static_cast<int64_t*>(out[1].data);
    for (int64_t i = 0; i < in.n; ++i) {
      for (int64_t c = 0; c < width; ++c) {
        float value = static_cast<float>(in.indices[i] + c);
        if (fault == Fault::counts) value += static_cast<float>(call);
        if (fault == Fault::order) value += static_cast<float>(i);
        if (fault == Fault::batch) value += static_cast<float>(in.n);
        if (fault == Fault::threads && now > 1) value += 1;
        if (fault != Fault::unwritten || c == 0) x[i * width + c] = value;
      }
      y[i] = in.indices[i] % (fault == Fault::label ? 4 : 3);
      if (in.indices[i] != 99) continue;
      if (fault == Fault::late_nan) x[i * width] = std::numeric_limits<float>::quiet_NaN();
      if (fault == Fault::late_label) y[i] = 7;
      if (fault == Fault::late_throw) throw levin::Error(LEVIN_E_INTERNAL, "the hundredth row is gone");
    }
    if (fault == Fault::overflow) x[in.n * width] = 0;
    if (fault == Fault::threads)
      for (volatile int spin = 0; spin < 2000000; spin = spin + 1) {
      }
    --inside;
  }
  void save(levin::Writer out) const { out.put("kept", fault == Fault::state ? kept : int64_t{1}); }
  void load(levin::Reader in) {
    int64_t ignored;
    in.get("kept", ignored);
  }
};

template <Fault fault>
levin_component rows(const char* id) {
  return levin::data_module<Rows<fault>>(id, "Breaks one rule");
}

}  // namespace

LEVIN_PLUGIN("levin.test.faulty_data", "1.0.0", "Apache-2.0", rows<Fault::none>("none"), rows<Fault::counts>("counts"),
             rows<Fault::order>("order"), rows<Fault::batch>("batch"), rows<Fault::overflow>("overflow"),
             rows<Fault::unwritten>("unwritten"), rows<Fault::label>("label"), rows<Fault::threads>("threads"),
             rows<Fault::fields>("fields"), rows<Fault::state>("state"), rows<Fault::extreme>("extreme"),
             rows<Fault::changes>("changes"), rows<Fault::late_nan>("late_nan"), rows<Fault::late_label>("late_label"),
             rows<Fault::late_throw>("late_throw"))
