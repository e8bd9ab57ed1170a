// Reads one part of a checkpoint, so that an error in it names the file and the part.
#pragma once
#include <exception>
#include <string>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_file.hpp"

namespace levin::core {

// key: the part that `body` reads. Throws Error{checkpoint} also for exceptions of JSON, of LibTorch, and of the
// conversion of text to numbers.
template <class F>
void read_part(const CheckpointReader& file, const std::string& key, F&& body) {
  try {
    body();
  } catch (const nlohmann::json::exception& e) {
    throw Error(ErrorCode::checkpoint_damaged,
                file.path() + ": " + key + " does not hold what a checkpoint has to: " + brief_json_error(e.what()));
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::checkpoint || starts_with(e.what(), file.path())) throw;
    throw Error(ErrorCode::checkpoint_damaged, file.path() + ": " + key + ": " + e.what());
  } catch (const std::exception& e) {  // from LibTorch, or from a conversion of text to numbers
    throw Error(ErrorCode::checkpoint_damaged,
                file.path() + ": " + key + " does not hold what a checkpoint has to: " + brief(e));
  }
}

}  // namespace levin::core
