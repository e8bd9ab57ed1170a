// "levin.module_tree/1": the model's modules and their sizes.
#include "core/abi/failure.hpp"
#include "core/checkpoint/generators.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

using EachModule = void (*)(void*, const char*, const char*, uint32_t, uint32_t);
using EachSize = void (*)(void*, const char*, const char*, const char*);

ModuleTreeParts& module_tree_parts(levin_run* run) { return parts_of(run, &levin_run::module_tree); }

// Visits the input and output sizes of the model's modules. Restores the random generators afterwards, so that training
// draws the same random numbers as without this call. Returns false if the sizes are unknown.
bool visit_sizes(levin_run* run, EachSize each, void* ctx) {
  ModuleTreeParts& p = module_tree_parts(run);
  const levin_modules* modules = p.model.modules();
  if (!modules || !LEVIN_HAS(levin_modules, modules, sizes)) return false;
  const GeneratorScope generators(p.device);
  bool known = true;
  try {
    p.model.invoke("example_input", [&] { return modules->sizes(p.model.self(), run, each, ctx); });
  } catch (const Error& e) {
    p.warn(std::string("the sizes of the model's modules are not known: ") + e.what());
    known = false;
  }
  return known;
}

levin_module_tree make_module_tree_table() {
  levin_module_tree t{};
  t.size = sizeof t;
  t.visit = [](levin_run* run, EachModule each, void* ctx) {
    return serve([&]() -> levin_status {
      Model& model = module_tree_parts(run).model;
      const levin_modules* modules = model.modules();
      if (!modules) return LEVIN_E_UNSUPPORTED;
      model.invoke("levin.modules/1", [&] { return modules->visit(model.self(), each, ctx); });
      return LEVIN_OK;
    });
  };
  t.sizes = [](levin_run* run, EachSize each, void* ctx) {
    return serve([&] { return visit_sizes(run, each, ctx) ? LEVIN_OK : LEVIN_E_UNSUPPORTED; });
  };
  return t;
}

}  // namespace

const levin_module_tree* module_tree_service() {
  static const levin_module_tree table = make_module_tree_table();
  return &table;
}

}  // namespace levin::core
