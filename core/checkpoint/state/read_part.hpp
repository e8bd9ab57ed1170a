// Reads one part of a checkpoint, so that whatever finds something wrong with it names the file and the part.
#pragma once
#include <exception>
#include <string>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/json_rules.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_file.hpp"

namespace levin::core {

// key: what `body` reads. Throws Error{checkpoint} for an exception of JSON, of LibTorch, or of numbers as text, too.
template <class F>
void read_part(const CheckpointReader& file, const std::string& key, F&& body) {
  try {
    body();
  } catch (const nlohmann::json::exception& e) {
    throw Error(ErrorKind::checkpoint,
                file.path() + ": " + key + " does not hold what a checkpoint has to: " + brief_json_error(e.what()));
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::checkpoint || starts_with(e.what(), file.path())) throw;
    throw Error(ErrorKind::checkpoint, file.path() + ": " + key + ": " + e.what());
  } catch (const std::exception& e) {  // of LibTorch, or of numbers as text
    throw Error(ErrorKind::checkpoint,
                file.path() + ": " + key + " does not hold what a checkpoint has to: " + brief(e));
  }
}

}  // namespace levin::core
