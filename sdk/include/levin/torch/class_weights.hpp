// The option class_weights of supervised tasks.
#pragma once
#include <torch/types.h>

#include <algorithm>
#include <string>
#include <vector>

#include "levin/options.hpp"
#include "levin/util/words.hpp"

#pragma GCC visibility push(hidden)
namespace levin {
namespace detail {

inline constexpr levin_option class_weights_option = text(
    "class_weights", "", "weight of each class, or of each label's positives, in the training loss: \"1, 2.5, 1\"");

// The weights, one a class; undefined if the option is empty.
class ClassWeights {
 public:
  ClassWeights(const Args& args, int64_t classes, const char* what) {
    const std::string text = args.text("class_weights");
    if (text.find_first_not_of(" \t\n") == std::string::npos) return;
    std::vector<float> weights;
    for (std::string part : parts_of(text, ',')) {
      part.erase(0, part.find_first_not_of(" \t\n"));
      part.erase(part.find_last_not_of(" \t\n") + 1);
      double weight = 0;
      if (!read_number(part, weight) || !(weight >= 0 && weight < 1e30))
        throw Error(LEVIN_E_INVALID, "--model.class_weights: '" + part + "' is no number from 0 to 1e30");
      weights.push_back(static_cast<float>(weight));
    }
    if (static_cast<int64_t>(weights.size()) != classes)
      throw Error(LEVIN_E_INVALID, "--model.class_weights has " + std::to_string(weights.size()) +
                                       " numbers, and the target of the data " + std::to_string(classes) + " " + what);
    if (std::all_of(weights.begin(), weights.end(), [](float weight) { return weight == 0; }))
      throw Error(LEVIN_E_INVALID, "--model.class_weights " + text + ": all weights are 0");
    weights_ = torch::tensor(weights);
  }
  // Returns the weights on the device and in the type of the scores.
  at::Tensor for_scores(const at::Tensor& scores) {
    if (!weights_.defined()) return {};
    if (weights_.device() != scores.device() || weights_.scalar_type() != scores.scalar_type())
      weights_ = weights_.to(scores.device(), scores.scalar_type());
    return weights_;
  }

 private:
  at::Tensor weights_;
};

}  // namespace detail
}  // namespace levin
#pragma GCC visibility pop
