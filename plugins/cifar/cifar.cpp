// CIFAR-10 and CIFAR-100.
#include "batches.hpp"
#include "levin/levin.hpp"

namespace cifar {

inline constexpr const char* class_counts[] = {"10", "100", "20", nullptr};

constexpr levin_option own_options[] = {
    levin::path("dir", "\"\"",
                "folder of the files or of the archive, or the .tar.gz; empty = the user's data folders"),
    levin::choice("classes", "\"10\"", "10 = CIFAR-10; CIFAR-100 with 100 fine or 20 coarse classes", class_counts)};
constexpr auto cifar_options = common::joined(own_options, common::byte_image_options);

class Cifar : public common::ByteImageModule {
 public:
  static auto option_table() { return common::table_of(cifar_options); }

  explicit Cifar(const levin::Args& o)
      : ByteImageModule(o),
        dir_(o.text("dir")),
        labels_(o.text("classes") == "10"    ? Labels::ten
                : o.text("classes") == "100" ? Labels::fine
                                             : Labels::coarse) {}

  void setup() {
    if (is_set_up()) return;
    const bool hundred = labels_ != Labels::ten;
    common::ByteImageSets sets = read_set(find_set(dir_, hundred), labels_);
    const std::string text =
        std::to_string(sets.train.rows()) + " training and " + std::to_string(sets.test.rows()) + " test images";
    info(sets.name + ": " + text);
    if (sets.train.rows() != 50000 || sets.test.rows() != 10000)
      warn(sets.name + " has " + text + "; the original set has 50000 and 10000");
    use(std::move(sets));
  }

 private:
  const std::string dir_;
  const Labels labels_;
};

}  // namespace cifar

LEVIN_PLUGIN("levin.cifar", "0.1.0", "Apache-2.0", levin::data_module<cifar::Cifar>("cifar", "CIFAR-10 and CIFAR-100"));
