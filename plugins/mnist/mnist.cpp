#include <algorithm>

#include "../common/images/byte_images.hpp"
#include "dataset_folder.hpp"
#include "image_set.hpp"
#include "levin/levin.hpp"

namespace mnist {

constexpr levin_option own_options[] = {
    levin::path("dir", "\"\"", "folder of the IDX files; empty = Debian's Fashion-MNIST, then the user's data folders"),
    levin::text("prefix", "\"\"", "prefix of the file names, if the folder holds several sets"),
    levin::integer("channels", "0", "number of channels into which a grey image is repeated; 0 = 1", 0, 64)};
constexpr auto mnist_options = common::joined(own_options, common::byte_image_options);

class Mnist : public common::ByteImageModule {
 public:
  static auto option_table() { return common::table_of(mnist_options); }

  explicit Mnist(const levin::Args& o)
      : ByteImageModule(o, o.integer("channels")), dir_(o.text("dir")), prefix_(o.text("prefix")) {}

  void setup() {
    if (is_set_up()) return;
    const DatasetFiles files = find_dataset(dir_, prefix_);
    Images train = read_images(files.train_images, files.train_labels), test;
    if (!files.test_images.empty()) test = read_images(files.test_images, files.test_labels);
    const std::vector<int64_t>&s = train.pixels.shape, &t = test.pixels.shape;
    if (!t.empty() && !std::equal(s.begin() + 1, s.end(), t.begin() + 1, t.end()))
      throw levin::Error(LEVIN_E_IO,
                         files.train_images + " and " + files.test_images + " hold images of different sizes");
    for (const std::string& remark : label_remarks(train, test, files.train_labels, files.test_labels)) warn(remark);
    int64_t classes = 0;
    for (const Images* set : {&train, &test})
      for (const uint8_t label : set->labels.data) classes = std::max<int64_t>(classes, label + 1);
    use({files.folder,
         s.size() == 3 ? common::ImageShape{1, s[1], s[2]} : common::ImageShape{s[1], s[2], s[3]},
         class_names(files.folder, classes),
         {std::move(train.pixels.data), std::move(train.labels.data)},
         {std::move(test.pixels.data), std::move(test.labels.data)}});
    info("data from " + files.folder);
  }

 private:
  const std::string dir_, prefix_;
};

}  // namespace mnist

LEVIN_PLUGIN("levin.mnist", "0.1.0", "Apache-2.0",
             levin::data_module<mnist::Mnist>("mnist", "MNIST, Fashion-MNIST and other IDX image sets"));
