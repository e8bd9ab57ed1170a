// Prints the model's modules and their sizes before training starts.
#include "levin/callback.hpp"
#include "levin/util/terminal.hpp"
#include "summary.hpp"

namespace levin::model_summary {
namespace {

class ModelSummary : public Callback {
 public:
  static constexpr levin_option options[] = {
      integer("max_depth", "1", "depth of nested modules to show; -1 = all, 0 = no table", -1, 1e9),
  };
  static constexpr levin_flag claims[] = {{"enable_model_summary", nullptr, "print the model's modules before a fit"}};

  explicit ModelSummary(const Args& args) : max_depth_(args.integer("max_depth")) {}

  void on_fit_start(const Event& event) {
    if (max_depth_ == 0 || !is_first_process(event.run())) return;
    event.run().print(table(summarize(modules(event.run()), parameters(event.run()), max_depth_), terminal_columns()));
  }

 private:
  // Returns the modules. For a model that does not describe them, only the parameters are shown.
  std::vector<Module> modules(const Run& run) const {
    std::vector<Module> out;
    if (!services().modules) return out;
    const auto each = [](void* ctx, const char* name, const char* type, uint32_t depth, uint32_t training) {
      static_cast<std::vector<Module>*>(ctx)->push_back({name, type, depth, training != 0});
    };
    const levin_status status = services().modules->visit(run.raw(), each, &out);
    if (status < 0 && status != LEVIN_E_UNSUPPORTED && status != LEVIN_E_NOT_FOUND)
      throw Error(status, "the model did not describe its modules");
    services().modules->sizes(run.raw(), &ModelSummary::add_sizes, &out);  // if it fails, the host has printed why
    return out;
  }

  static void add_sizes(void* ctx, const char* name, const char* in, const char* out) {
    for (Module& m : *static_cast<std::vector<Module>*>(ctx))
      if (m.name == name) m.in_sizes = in, m.out_sizes = out;
  }

  struct Collected {
    const levin_host* host;
    std::vector<Parameter> parameters;
  };
  static levin_status collect(const levin_visitor* visitor, const char* name, levin_tensor* tensor, uint32_t kind) {
    Collected& c = *static_cast<Collected*>(visitor->ctx);
    if (kind != LEVIN_PARAMETER) return LEVIN_OK;
    levin_view view;
    const levin_status status = c.host->tensor_view(c.host, tensor, &view);
    if (status < 0) return status;
    Parameter p;
    p.name = name;
    p.elements = 1;
    for (int32_t d = 0; d < view.ndim; ++d) p.elements *= view.shape[d];
    p.bytes = p.elements * view.dtype.bits / 8;
    c.parameters.push_back(p);
    return LEVIN_OK;
  }

  std::vector<Parameter> parameters(const Run& run) const {
    Collected collected{host(), {}};
    const levin_visitor visitor = {sizeof visitor, 0, &collected, &ModelSummary::collect};
    detail::check(run.params().visit(run.raw(), &visitor), "the model's parameters cannot be visited");
    for (Parameter& p : collected.parameters) {
      int32_t on = 1;
      if (run.params().get_requires_grad(run.raw(), p.name.c_str(), &on) == LEVIN_OK) p.trainable = on != 0;
    }
    return collected.parameters;
  }

  int64_t max_depth_;
};

}  // namespace
}  // namespace levin::model_summary

LEVIN_PLUGIN("levin.model_summary", "0.1.0", "Apache-2.0",
             levin::callback<levin::model_summary::ModelSummary>("model_summary",
                                                                 "Prints the model's modules and sizes"));
