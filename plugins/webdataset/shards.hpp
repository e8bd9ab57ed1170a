// The files that an option names.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace webdataset {

// names: files, folders of .tar files, http addresses, and patterns such as "train-{000..146}.tar" and "*.tar",
// separated by commas. Returns files in the order of the list, those of a folder or pattern sorted. What is at
// addresses is downloaded to the folder `cache` ("" = the user's); tell gets messages about it. may_be_damaged: a
// download that is an archive in part is kept. Throws levin::Error if a file does not exist, or a download is no
// archive. option: "shards", for messages.
std::vector<std::string> shards_of(const std::string& names, const std::string& option, std::string cache,
                                   bool may_be_damaged, const std::function<void(const std::string&)>& tell);

}  // namespace webdataset
