// Exit code 3: a plugin cannot be used.
#include "host/explain/error_rows.hpp"

namespace levin::core {

std::vector<ErrorRow> plugin_error_rows() {
  return {
      {ErrorCode::plugin_not_found, "No such plugin",
       "No plugin in the searched folders has a component of this id, or there is no such file.",
       "host plugins lists what is found. --plugins DIR and LEVIN_PLUGIN_PATH add folders. The name of a file contains "
       "a '/' or ends in .so.",
       "no model 'resnot' in the plugins of /usr/lib/levin/plugins; did you mean 'resnet'?"},
      {ErrorCode::plugin_file_unsafe, "Others can change the plugin's file",
       "The file, or a folder above it, is writable by other users, or it is no regular file. They could replace the "
       "code that you run.",
       "chmod go-w the file and its folders, or accept the risk with --trust. See docs/plugin-files.md, P1.",
       "libnet.so: its group may write it; chmod g-w it (P1)"},
      {ErrorCode::plugin_file_invalid, "The file is not a Levin plugin for this machine",
       "The file is damaged, is no shared library, is made for another processor, or carries no Levin note.",
       "Build it with levin_add_plugin() of the SDK on this kind of machine. See docs/plugin-files.md, P2 and P3.",
       "libm.so.6: not a Levin plugin: it carries no Levin note (P3)"},
      {ErrorCode::plugin_abi_differs, "The plugin was built for another ABI",
       "The plugin interface of the plugin's SDK and of this host differ.",
       "Build the plugin again with this host's SDK, or use a host of the plugin's version.",
       "libnet.so: needs plugin ABI 0.2, this host has 0.3 (P4)"},
      {ErrorCode::plugin_torch_differs, "The plugin was built for another LibTorch",
       "Plugins that use tensors need the LibTorch of the host: the same major and minor version and C++ library.",
       "Build the plugin again with the host's LibTorch: -DLEVIN_TORCH=FOLDER. host doctor names it.",
       "libnet.so: built for another LibTorch: LibTorch 2.6, this host has 1.13 (P5)"},
      {ErrorCode::plugin_libraries_refused, "A library, run path or symbol of the plugin is refused",
       "The plugin needs a library that is missing or that conflicts with the host's, has an unsafe run path, or "
       "exports symbols that would replace those of other plugins.",
       "The message names it. Install the library, or build the plugin with hidden visibility as levin_add_plugin() "
       "does. See docs/plugin-files.md, P6.",
       "libnet.so: needs libfoo.so.1, which is not found (P6)"},
      {ErrorCode::plugin_does_not_load, "The plugin cannot be loaded",
       "Loading the file failed: a missing library or symbol, an exception, a crash or a hang in a static initialiser, "
       "or a file that changed meanwhile.",
       "The message has the loader's reason. `host check FILE` and `host doctor` help to find it.",
       "libnet.so: undefined symbol: cblas_sgemm (P9)"},
      {ErrorCode::plugin_table_invalid, "A table of the plugin is invalid",
       "levin_plugin_v0 is missing, or it or a component returned a table of a wrong size or version.",
       "Build the plugin with the SDK of this host. Plugins in C: set each size to sizeof the struct.",
       "libnet.so: levin_plugin_v0 returned no table (P10)"},
      {ErrorCode::plugin_description_invalid, "The plugin describes itself wrongly",
       "An id, an option, a default, a hook or a text in the description is invalid.",
       "Mend the declaration that the message names. This is a defect of the plugin. See docs/plugin-files.md, P11.",
       "libnet.so: the default of option 'depth' is out of its range (P11)"},
      {ErrorCode::plugin_description_differs, "The plugin's description differs from its code",
       "Options were checked by the description embedded in the file, and the plugin's code gives another one.",
       "Build the plugin again. See docs/plugin-files.md, P12.",
       "libnet.so: its description says option 'depth' is an int, and its code says a float (P12)"},
      {ErrorCode::plugin_lacks_function, "The plugin lacks a function",
       "The table of a component has no entry for a function that its kind needs, or create returned nothing.",
       "Implement the function. Classes of the SDK have all of them. See docs/plugin-guide.md.",
       "libnet.so: model 'net' lacks the functions 'visit' or 'step'"},
      {ErrorCode::plugin_answer_invalid, "The plugin gave an invalid answer",
       "A function of a plugin returned something that the host cannot use: rows of a wrong shape or type, a sampler "
       "with invalid indices, a description that changed, no instance.",
       "The message names the function and what is wrong. `host check FILE` tests the plugin's answers.",
       "libtable.so: table.describe: split train, field 'x': a dimension is negative"},
      {ErrorCode::plugin_misuses_memory, "The plugin misuses memory or tensors",
       "--debug-plugins found that a plugin changed, freed or kept something that it must not.",
       "The message names the call. See docs/debugging.md.",
       "libnet.so: net.training_step: since this call the parameter 'weight' is nan at [3, 0]"},
      {ErrorCode::component_not_in_plugin, "The plugin file has no such component",
       "The file was found, but it has no component of this kind or id.",
       "The message lists the components of the file; host inspect FILE shows them all.",
       "libnet.so: has no model 'resnet'; it has: model net"},
      {ErrorCode::plugin_ambiguous, "Several plugins have this component",
       "Several plugin files have a component of this id, or the named file has several components of the kind.",
       "Write PLUGIN-ID:ID or FILE.so:ID. The message lists them.",
       "the model 'net' is in a/libnet.so and in b/libnet.so; name one: mine:net, yours:net"},
      {ErrorCode::plugin_changed, "The plugin file has changed since the run or job was started",
       "The file is gone, or another file has its place, so the run would go on with other code.",
       "Put the file back, or resume with --allow_plugin_changes. A job of tasks has to be started anew.",
       "libtasks.so has changed since the job was started"},
      {ErrorCode::plugin_not_installed, "The plugin file cannot be installed, removed or changed",
       "host install, host uninstall or the build could not write the file, or another plugin has its name.",
       "The message says what is in the way. --force replaces a file of another plugin.",
       "the plugin 'net' is installed already, as net_old.so; `host uninstall net_old.so` first"},
      {ErrorCode::library_not_allowed, "A worker does not allow this library",
       "--allow of the worker or service does not name the library of the job, or the library's signature is damaged "
       "or "
       "of no allowed key.",
       "Start the worker and the service with --allow and the library's SHA-256 sum, file or folder, or key:FILE for "
       "signed libraries.",
       "libtasks.so with the SHA-256 sum 12ab... is not allowed here: start the program with --allow"},
  };
}

}  // namespace levin::core
