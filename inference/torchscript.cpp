#include "inference/torchscript.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/generators.hpp"
#include "inference/trace.hpp"

namespace levin::core {
namespace {

// A random batch with the form of the data that a model was trained on.
struct ExampleBatch {
  int64_t rows = 2;
  int64_t length = 8;  // of dimensions whose size differs between rows
  bool signs = false;  // true = numbers of both signs, some large; false = from 0 to 1
};

at::Tensor example_of(const FieldInfo& field, const ExampleBatch& batch) {
  std::vector<int64_t> shape = {batch.rows};
  for (const int64_t size : field.shape) shape.push_back(size < 0 ? batch.length : size);
  const at::ScalarType type = scalar_type(field.dtype);
  if (at::isFloatingType(type))
    return (batch.signs ? at::randn(shape, at::kFloat) * 3 : at::rand(shape, at::kFloat)).to(type);
  // Bytes without classes are pixels. Other integers may have any meaning, such as indices into a small table.
  const int64_t pixels = 256, small = 2, end = type == at::kByte ? pixels : small;
  return at::randint(field.classes > 0 ? field.classes : end, shape, at::kLong).to(type);
}

// Returns true if an input has dimensions whose size differs between rows.
bool has_lengths(const std::vector<FieldInfo>& fields) {
  return std::any_of(fields.begin(), fields.end(),
                     [](const FieldInfo& f) { return f.role == LEVIN_ROLE_INPUT && f.ragged(); });
}

// Returns the inputs of a batch on the CPU; empty if no field is an input.
std::vector<at::Tensor> example_inputs(const std::vector<FieldInfo>& fields, const ExampleBatch& batch) {
  std::vector<at::Tensor> out;
  for (const FieldInfo& field : fields)
    if (field.role == LEVIN_ROLE_INPUT) out.push_back(example_of(field, batch));
  return out;
}

// Batches for comparing a trace with the model: other numbers, rows and lengths than those of the trace.
constexpr ExampleBatch comparisons[] = {{2, 8, true}, {5, 8, false}, {1, 8, true}, {3, 11, false}};
// Numbers of rows to trace with: 2, then primes that networks rarely contain, for traces whose rows are replaced.
constexpr int64_t traced_rows[] = {2, 37, 53};

[[noreturn]] void cannot_export(LoadedModel& model, const std::string& what) {
  throw Error(ErrorCode::export_failed, model.model().plugin() + ": model '" + model.model().schema().id +
                                            "' cannot be exported as TorchScript: " + what);
}

bool is_close(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
  const bool coarse = a.scalar_type() == at::kHalf || a.scalar_type() == at::kBFloat16;
  return at::allclose(a.to(at::kDouble), b.to(at::kDouble), coarse ? 5e-2 : 1e-3, coarse ? 1e-2 : 1e-5,
                      /*equal_nan=*/true);
}

bool is_close(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!is_close(a[i], b[i])) return false;
  return true;
}

std::string words_of(const ExampleBatch& batch, bool lengths) {
  return "a batch of " + std::to_string(batch.rows) + (batch.rows == 1 ? " row" : " rows") +
         (lengths ? " of length " + std::to_string(batch.length) : "");
}

// Returns the network's output, or nullopt if it does not accept the batch.
std::optional<std::vector<at::Tensor>> given_by(LoadedModel& model, const std::vector<at::Tensor>& inputs) {
  try {
    return model.forward(inputs);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Returns what is wrong with the module's output for the batch, or "".
std::string difference(LoadedModel& model, torch::jit::Module& module, const ExampleBatch& batch) {
  const std::vector<at::Tensor> inputs = example_inputs(model.fields(), batch);
  const auto expected = given_by(model, inputs);
  if (!expected) return "";
  const std::string name = words_of(batch, has_lengths(model.fields()));
  try {
    if (is_close(unpacked(module.forward({inputs.begin(), inputs.end()})), *expected)) return "";
  } catch (const std::exception& e) {
    return "the trace does not accept " + name +
           ", because forward uses sizes or values in a way that tracing does not record: " + brief(e);
  }
  return "the trace returns other numbers for " + name +
         ": forward branches on sizes or values, or draws random numbers";
}

std::string difference(LoadedModel& model, const std::string& bytes) {
  std::istringstream in(bytes);
  torch::jit::Module read = torch::jit::load(in);
  for (const ExampleBatch& batch : comparisons) {
    const std::string found = difference(model, read, batch);
    if (!found.empty()) return found;
  }
  return "";
}

void require_examples(LoadedModel& model) {
  const std::vector<at::Tensor> inputs = example_inputs(model.fields(), {});
  if (inputs.empty())
    cannot_export(model, "the checkpoint does not describe the inputs, because the model brings its own data");
  if (!model.model().overrides().has_forward()) return;  // reported by tracing
  try {
    model.forward(inputs);
  } catch (const Error& e) {
    cannot_export(model,
                  std::string("its forward does not accept a batch of the inputs that its data has: ") + e.what());
  }
}

struct Script {
  std::string bytes, note;
};

// The numbers of the checkpoint. A forward may change them: batch norm that is always in training mode counts batches.
class KeptNumbers {
 public:
  explicit KeptNumbers(const Model& model) {
    for (const auto& tensors : {model.parameters(), model.buffers()})
      for (const NamedTensor& t : tensors) kept_.emplace_back(t.tensor, t.tensor.clone());
  }
  void restore() {
    for (auto& [tensor, numbers] : kept_) tensor.copy_(numbers);
  }

 private:
  std::vector<std::pair<at::Tensor, at::Tensor>> kept_;
};

// Tries the plain trace first. If it is right only for its own number of rows, tries traces whose rows are replaced.
Script checked(LoadedModel& model, KeptNumbers& numbers) {
  std::string problem;
  for (const int64_t rows : traced_rows) {
    ExampleBatch batch;
    batch.rows = rows;
    const Trace trace = trace_forward(model, example_inputs(model.fields(), batch), rows != traced_rows[0]);
    if (trace.reads_values)
      cannot_export(model,
                    "forward reads numbers from its input, by item() or a condition on a tensor, and a trace records "
                    "only the results for the numbers that it was made with");
    std::ostringstream out;
    numbers.restore();
    trace.module.save(out);
    problem = difference(model, out.str());
    if (problem.empty())
      return {out.str(), trace.makes_tensors ? "forward creates tensors on the CPU: the file works on a CPU only" : ""};
  }
  cannot_export(model, problem);
}

}  // namespace

std::string write_torchscript(LoadedModel& model, const std::string& path) {
  const GeneratorScope generators(at::kCPU);
  const at::NoGradGuard no_grad;
  KeptNumbers numbers(model.model());
  require_examples(model);
  Script script;
  try {
    script = checked(model, numbers);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    cannot_export(model, brief(e));
  }
  AtomicFile file(path, script.bytes.size());
  file.write_at(0, script.bytes.data(), script.bytes.size());
  file.commit();
  return script.note;
}

}  // namespace levin::core
