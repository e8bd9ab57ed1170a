// The function that the engine finds in liblevin_download.so.
#include "core/components/download_library.hpp"
#include "levin/error.hpp"
#include "local_copy.hpp"

extern "C" __attribute__((visibility("default"))) void levin_local_copy(const std::string& address,
                                                                        const levin::core::LocalCopyCalls& calls,
                                                                        levin::core::LocalCopy& out) try {
  out.path = download::place_of_copy(address);
  out.path = download::local_copy(address, {calls.tell, calls.ends});
} catch (const levin::Error& e) {
  out.problem = e.what();
  out.status = e.status();
} catch (const std::exception& e) {
  out.problem = e.what();
} catch (const download::Ended&) {
  out.ended = true;
}
