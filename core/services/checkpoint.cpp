// "levin.checkpoint/1": saves, loads, removes, lists and announces checkpoints of the run.
#include <algorithm>

#include "core/abi/failure.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

CheckpointParts& checkpoint_parts(levin_run* run) { return parts_of(run, &levin_run::checkpoint); }

// Relative paths are relative to the run's folder.
std::string full_path(const CheckpointParts& parts, const std::string& path) {
  if (path.empty()) throw Error(ErrorCode::call_invalid, "the path of a checkpoint is empty");
  if (path[0] == '/' || !parts.folder) return path;
  return (parts.folder->path() / path).string();
}

// Two hard links to a file are different names: either may be removed without the other.
bool same_name(const std::string& a, const std::string& b) {
  std::error_code failed;
  const auto whole = [&](const std::string& path) { return std::filesystem::weakly_canonical(path, failed); };
  return whole(a) == whole(b) && !failed;
}

void remove(const CheckpointParts& parts, const std::string& path) {
  if (parts.folder && !parts.folder->writes()) return;
  const std::string full = full_path(parts, path);
  if (std::filesystem::path(full).extension() != ".ckpt")
    throw Error(ErrorCode::call_invalid, "only checkpoints are removed, and '" + path + "' does not end with .ckpt");
  if (!parts.resumed_from.empty() && !parts.outlived && same_name(full, parts.resumed_from)) return;
  parts.state.in_order([full, warn = parts.warn] {
    if (const std::error_code failed = remove_file(full))
      warn("cannot remove the checkpoint " + full + ": " + failed.message() + "; remove it if you need the room");
  });
}

// `what` comes from a plugin.
const levin_saved& checked(const levin_saved* what) {
  if (!what || what->size < sizeof(levin_saved))
    throw Error(ErrorCode::call_invalid, "the levin_saved is NULL or too small; set its size to sizeof(levin_saved)");
  return *what;
}

void announce(const CheckpointParts& parts, const levin_saved& what) {
  if (!(what.flags & (LEVIN_SAVED_BEST | LEVIN_SAVED_LAST)))
    throw Error(ErrorCode::call_invalid,
                "a checkpoint is announced as best or last; set LEVIN_SAVED_BEST or LEVIN_SAVED_LAST");
  if (!parts.folder || !what.path || !*what.path) return;
  const Announcement score = {what.score, what.monitor ? what.monitor : "", (what.flags & LEVIN_SAVED_LARGER) != 0};
  for (const auto& [flag, which] : {std::pair(LEVIN_SAVED_BEST, "best"), std::pair(LEVIN_SAVED_LAST, "last")})
    if (what.flags & flag)
      parts.state.in_order([folder = parts.folder, which = which, full = full_path(parts, what.path), score] {
        folder->announce(which, full, score);
      });
}

// Returns what is known about a file that is saved again.
SavedFacts announced_facts(const CheckpointParts& parts, const std::string& path) {
  SavedFacts facts;
  if (!parts.folder) return facts;
  const auto is = [&](const char* which) {
    const auto announced = parts.folder->announced(which);
    return announced &&
           std::filesystem::path(*announced).lexically_normal() == std::filesystem::path(path).lexically_normal();
  };
  facts.flags = (is("best") ? LEVIN_SAVED_BEST : 0u) | (is("last") ? LEVIN_SAVED_LAST : 0u);
  if (!(facts.flags & LEVIN_SAVED_BEST)) return facts;
  const Announcement best = parts.folder->best();
  if (best.larger_is_better) facts.flags |= LEVIN_SAVED_LARGER;
  facts.monitor = best.monitor;
  facts.score = best.score;
  return facts;
}

void save(CheckpointParts& parts, const levin_saved& what, uint32_t flags) {
  const std::string full = full_path(parts, what.path ? what.path : "");
  const bool described = what.flags != 0 || what.monitor;
  parts.state.save(
      full, flags,
      described ? SavedFacts{what.flags, what.monitor ? what.monitor : "", what.score} : announced_facts(parts, full));
  parts.outlived = parts.outlived || (parts.goes_on && (flags & LEVIN_SAVE_WEIGHTS_ONLY) == 0);
}

void list(const CheckpointParts& parts, void (*each)(void*, const levin_saved*), void* ctx) {
  if (!each) throw Error(ErrorCode::call_invalid, "list() has no function to call");
  if (!parts.folder) return;
  parts.state.wait();
  for (const RunCheckpoint& c : parts.folder->list()) {
    levin_saved found{};
    found.size = sizeof found;
    found.flags = (c.best ? LEVIN_SAVED_BEST : 0u) | (c.last ? LEVIN_SAVED_LAST : 0u) |
                  (c.announced.larger_is_better ? LEVIN_SAVED_LARGER : 0u);
    found.path = c.path.c_str();
    found.monitor = c.announced.monitor.empty() ? nullptr : c.announced.monitor.c_str();
    found.score = c.announced.score;
    each(ctx, &found);
  }
}

// Initial weights are not loaded on resume: they would overwrite the restored ones.
void load_weights(CheckpointParts& parts, const std::string& path) {
  if (parts.progress.resumed() && !parts.progress.begun())
    return parts.warn(
        "load_weights('" + path + "') has no effect: this run was resumed from " + parts.resumed_from +
        ", whose weights it would overwrite; skip the call if the run is resumed (number \"resumed\"), or load " +
        "after the first batch has begun");
  parts.state.wait();
  parts.state.load_weights(CheckpointReader(full_path(parts, path)));
}

levin_checkpoint make_checkpoint_table() {
  levin_checkpoint t{};
  t.size = sizeof t;
  t.save = [](levin_run* run, const levin_saved* what, uint32_t flags) {
    return serve([&] { save(checkpoint_parts(run), checked(what), flags); });
  };
  t.remove = [](levin_run* run, const char* path) { return serve([&] { remove(checkpoint_parts(run), path); }); };
  t.wait = [](levin_run* run) { return serve([&] { checkpoint_parts(run).state.wait(); }); };
  t.load_weights = [](levin_run* run, const char* path) {
    return serve([&] { load_weights(checkpoint_parts(run), path); });
  };
  t.announce = [](levin_run* run, const levin_saved* what) {
    return serve([&] { announce(checkpoint_parts(run), checked(what)); });
  };
  t.list = [](levin_run* run, void (*each)(void*, const levin_saved*), void* ctx) {
    return serve([&] { list(checkpoint_parts(run), each, ctx); });
  };
  t.saves_in = [](levin_run* run, const char* folder) {
    return serve([&] {
      CheckpointParts& parts = checkpoint_parts(run);
      if (!parts.folder || !parts.folder->writes()) return;
      const std::string full = full_path(parts, folder ? folder : "");
      if (std::find(parts.save_folders.begin(), parts.save_folders.end(), full) == parts.save_folders.end())
        parts.save_folders.push_back(full);
    });
  };
  return t;
}

}  // namespace

const levin_checkpoint* checkpoint_service() {
  static const levin_checkpoint table = make_checkpoint_table();
  return &table;
}

}  // namespace levin::core
