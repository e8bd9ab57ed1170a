// Resumes a fit from a Lightning checkpoint.
#pragma once
#include <memory>
#include <string>

#include "core/trainer/resume/resume_source.hpp"

namespace levin::core {

// Throws Error{checkpoint} if the file is no checkpoint from which Lightning itself can resume.
std::unique_ptr<ResumeSource> lightning_source(const ResumeParts& parts, const std::string& path);

}  // namespace levin::core
