// The build has no HTTP library.
#include "levin/error.hpp"
#include "store.hpp"

namespace levin::mlflow {

std::unique_ptr<Store> open_server_store(const std::string& address, const Opening&) {
  throw Error(LEVIN_E_UNSUPPORTED, "this build of the plugin cannot reach " + address +
                                       ": it was made without libcurl. Give a folder as tracking_uri, or build it with "
                                       "Debian's libcurl4-openssl-dev");
}

}  // namespace levin::mlflow
