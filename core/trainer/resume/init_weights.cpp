#include "core/trainer/resume/init_weights.hpp"

#include <ATen/ATen.h>

#include <map>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/scalar_types.hpp"
#include "core/weights/name_map.hpp"
#include "core/weights/state_dict_file.hpp"
#include "core/weights/torch_file.hpp"

namespace levin::core {
namespace {

constexpr size_t most_told = 8;

at::Tensor tensor_of(const StoredTensor& stored, const std::string& where) {
  const std::vector<int64_t> shape(stored.shape.begin(), stored.shape.end());
  at::Tensor out = at::empty(shape, scalar_type_of(stored.dtype, where));
  copy_dense(stored, out.data_ptr());
  return out;
}

// Matches the tensors of a file with the tensors of a model, by the model's names.
class Matching {
 public:
  Matching(const std::vector<NamedTensor>& tensors, const StateDictFile& file, const NameMap& map) : file_(file) {
    for (const NamedTensor& t : tensors) model_names_.push_back(t.name), targets_.emplace(t.name, t.tensor);
    for (const std::string& name : file.names()) match(name, map(name));
    for (const std::string& name : model_names_)
      if (fitting_.count(name) == 0 && wrong_shape_.count(name) == 0 && !is_tied(name)) missing_.push_back(name);
  }

  bool complete() const { return missing_.empty() && unknown_.empty() && wrong_shape_.empty() && doubled_.empty(); }
  bool empty() const { return fitting_.empty(); }
  const std::vector<std::string>& doubled() const { return doubled_; }

  void copy() const {
    const at::NoGradGuard no_grad;
    // Reads all tensors before changing the first, because a damaged one may come last.
    std::map<std::string, at::Tensor> values;
    for (const auto& [target, name] : fitting_)
      values[target] = tensor_of(file_.tensor(name), file_.path() + ": " + name);
    for (const auto& [target, value] : values) {
      at::Tensor to = targets_.at(target);
      to.copy_(value);
    }
  }

  // Returns "120 of the model's 122 tensors".
  std::string extent() const {
    return std::to_string(fitting_.size()) + " of the model's " + std::to_string(targets_.size()) + " tensors";
  }
  // Returns what does not fit: "; not in the file: a, b; of another shape: c ([3], the model's is [4])".
  std::string remainder() const {
    std::vector<std::string> shapes;
    for (const auto& [name, text] : wrong_shape_) shapes.push_back(name + " (" + text + ")");
    std::string out;
    const auto add = [&out](const char* what, const std::vector<std::string>& names) {
      if (!names.empty()) out += std::string("; ") + what + ": " + join_some(names, most_told);
    };
    add("not in the file", missing_);
    add("not in the model", unknown_);
    add("of another shape", shapes);
    add("twice, by model.init_map", doubled_);
    return out;
  }
  // Returns the option that would match more names, or "".
  std::string advice() const {
    const auto map = suggested_map(file_.names(), model_names_);
    return map ? "; --model.init_map '" + map->to_json().dump() + "' would match more" : "";
  }

 private:
  void match(const std::string& name, const std::optional<std::string>& target) {
    if (!target) return;
    const auto found = targets_.find(*target);
    if (found == targets_.end()) {
      unknown_.push_back(name);
      return;
    }
    const auto stored = file_.tensor(name);
    const std::vector<int64_t> shape(stored.shape.begin(), stored.shape.end());
    if (found->second.sizes() != at::IntArrayRef(shape))
      wrong_shape_[*target] =
          c10::str(at::IntArrayRef(shape)) + ", and the model's is " + c10::str(found->second.sizes());
    else if (!fitting_.emplace(*target, name).second)
      doubled_.push_back(*target);
  }

  // Returns true if the file has the tensor under another name: safetensors stores tied tensors once.
  bool is_tied(const std::string& name) const {
    for (const auto& [target, from] : fitting_)
      if (targets_.at(target).is_same(targets_.at(name))) return true;
    return false;
  }

  const StateDictFile& file_;
  std::vector<std::string> model_names_, missing_, unknown_, doubled_;
  std::map<std::string, at::Tensor> targets_;
  std::map<std::string, std::string> fitting_, wrong_shape_;  // by the model's name: the file's name; both shapes
};

}  // namespace

bool is_weights_file(const std::string& path) {
  return ends_with(path, ".index.json") || looks_like_torch_file(FileBytes(path));
}

std::string init_tensors(const std::vector<NamedTensor>& tensors, const std::string& what, const InitWeights& init,
                         const std::string& way_on) {
  const StateDictFile file(*init.from);
  const Matching matching(tensors, file, NameMap(init.map, "model.init_map"));
  const std::string start = what + file.path() + " (" + file.format() + ") gives " + matching.extent();
  if (matching.empty() || !matching.doubled().empty() || (init.strict && !matching.complete()))
    throw Error(ErrorCode::weights_do_not_match, start + matching.remainder() +
                                                     (way_on.empty() ? "" : matching.advice()) +
                                                     (matching.empty() || !init.strict ? "" : way_on));
  matching.copy();
  return start + matching.remainder();
}

void init_weights(Model& model, const std::string& option, const InitWeights& init, Console& console) {
  std::vector<NamedTensor> tensors = model.parameters();
  tensors.insert(tensors.end(), model.buffers().begin(), model.buffers().end());
  console.info(init_tensors(tensors, option + ": ", init, "; --model.init_match fitting loads the tensors that fit"));
}

}  // namespace levin::core
