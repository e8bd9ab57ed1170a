#include "cnn.hpp"
#include "levin/torch.hpp"

namespace cnn {

class Network : public Net {
 public:
  static constexpr levin::TaskDefaults task_defaults = [] {
    levin::TaskDefaults d;
    d.loss = "\"nll\"";
    d.optimizer = "\"sgd\"";
    d.lr = "0.01";
    d.momentum = "0.5";
    return d;
  }();
  static constexpr const char* defaults = R"({"data.batch_size": 128})";

  explicit Network(const levin::DataInfo& data) : Net(image(data)[0], image(data)[1], image(data)[2], data.classes()) {}

 private:
  static const std::vector<int64_t>& image(const levin::DataInfo& data) {
    const levin::Field& field = data.input();
    if (field.shape.size() != 3 || halved_twice(field.shape[1]) < 1 || halved_twice(field.shape[2]) < 1)
      throw levin::Error(LEVIN_E_INVALID, "cnn needs images [channels, height, width] of at least 16 x 16; field '" +
                                              field.name + "' of the data has the shape " +
                                              levin::shape_text(field.shape));
    return field.shape;
  }
};

}  // namespace cnn

LEVIN_PLUGIN("levin.cnn", "0.1.0", "Apache-2.0",
             levin::network<cnn::Network>("cnn", "The small convolutional network of the classic MNIST demo"))
