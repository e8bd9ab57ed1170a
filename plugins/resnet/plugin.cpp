#include <algorithm>

#include "levin/torch.hpp"
#include "resnet.hpp"

namespace resnet {

constexpr const char* depths[] = {"auto", "18", "34", "50", "101", "152", nullptr};
constexpr const char* stems[] = {"auto", "imagenet", "cifar", "small", nullptr};
constexpr int64_t small_image = 64;

// The network described by the options, with sizes from the data.
class Network : public ResNetImpl {
 public:
  static constexpr levin_option options[] = {
      levin::choice("depth", "\"auto\"", "auto = a small network for images below 64 pixels, else 18", depths),
      levin::choice("stem", "\"auto\"",
                    "first layers: small = 3x3 with stride 2, cifar = 3x3 with stride 1, imagenet = 7x7 and max-pool",
                    stems),
      levin::with(levin::integer("width", "null",
                                 "channels of the first stage; null = 16 for the small network, else 64", 1, 4096),
                  LEVIN_OPT_NULLABLE)};
  static constexpr levin::TaskDefaults task_defaults = [] {
    levin::TaskDefaults d;
    d.optimizer = "\"sgd\"";
    d.lr = "null";
    d.nesterov = "true";
    d.weight_decay = "0.0005";
    d.scheduler = "\"one_cycle\"";
    d.label_smoothing = "0.1";
    return d;
  }();
  static constexpr const char* defaults = R"({"trainer.max_epochs": 10, "data.batch_size": 128})";

  Network(const levin::Args& o, const levin::DataInfo& data)
      : ResNetImpl(shape_of(o, image(data)), image(data)[0], levin::outputs_of(data)),
        is_deep_(!(o.text("depth") == "auto" && is_small(image(data)))) {}

  // Returns the learning rate for batches of 128, scaled down linearly for smaller batches, whose gradients are
  // noisier.
  double default_lr(int64_t batch_size) const {
    const double share = static_cast<double>(batch_size) / 128;
    return (is_deep_ ? 0.08 : 0.3) * (batch_size > 0 ? std::min(1.0, share) : 1);
  }

 private:
  static bool is_small(const std::vector<int64_t>& image) { return std::min(image[1], image[2]) < small_image; }
  static const std::vector<int64_t>& image(const levin::DataInfo& data) {
    const levin::Field& field = data.input();
    if (field.shape.size() != 3)
      throw levin::Error(LEVIN_E_INVALID, "resnet needs images [channels, height, width]; field '" + field.name +
                                              "' of the data has the shape " + levin::shape_text(field.shape));
    return field.shape;
  }
  static Shape shape_of(const levin::Args& o, const std::vector<int64_t>& image) {
    const std::string depth = o.text("depth"), stem = o.text("stem");
    Shape shape = depth == "auto" && is_small(image)
                      ? Shape{{1, 1, 1}, 16, false, Stem::small}
                      : torchvision_shape(depth == "auto" ? 18 : std::stoi(depth), Stem::imagenet);
    if (stem != "auto") shape.stem = stem == "small" ? Stem::small : stem == "cifar" ? Stem::cifar : Stem::imagenet;
    if (!o.is_null("width")) shape.width = o.integer("width");
    return shape;
  }

  const bool is_deep_;
};

}  // namespace resnet

LEVIN_PLUGIN("levin.resnet", "0.1.0", "Apache-2.0",
             levin::network<resnet::Network>("resnet", "Residual networks for images"))
