#pragma once

namespace gloo::transport {
class UnboundBuffer;
class Device;
}  // namespace gloo::transport
