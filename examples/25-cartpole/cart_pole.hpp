// The pole on a cart of Barto, Sutton and Anderson: Neuronlike adaptive elements that can solve difficult learning
// control problems, 1983. Constants, limits and Euler's method are those of CartPole-v1 in Gym.
#pragma once
#include <array>
#include <cmath>

namespace cartpole {

struct CartPole {
  static constexpr int steps = 500;       // after these an episode ends
  static constexpr double gravity = 9.8;  // m/s^2
  static constexpr double mass = 1.1;     // of cart and pole, kg
  static constexpr double pole = 0.1;     // mass of the pole, kg
  static constexpr double length = 0.5;   // half of the pole's, m
  static constexpr double force = 10;     // N
  static constexpr double time = 0.02;    // of a step, s
  static constexpr double max_x = 2.4;    // m
  static constexpr double max_angle = 12 * 2 * 3.141592653589793 / 360;

  std::array<double, 4> state;  // place and speed of the cart, angle and angular speed of the pole

  // Pushes the cart for one step. Returns false if the pole has fallen or the cart has left the track.
  bool push(bool right) {
    auto& [x, speed, angle, turn] = state;
    const double cosine = std::cos(angle), sine = std::sin(angle);
    const double moved = ((right ? force : -force) + pole * length * turn * turn * sine) / mass;
    const double turned = (gravity * sine - cosine * moved) / (length * (4. / 3 - pole * cosine * cosine / mass));
    const double pushed = moved - pole * length * turned * cosine / mass;
    x += time * speed;
    speed += time * pushed;
    angle += time * turn;
    turn += time * turned;
    return std::abs(x) <= max_x && std::abs(angle) <= max_angle;
  }
};

}  // namespace cartpole
