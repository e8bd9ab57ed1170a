#include "averaging.hpp"
#include "stochastic.hpp"

LEVIN_PLUGIN("levin.weight_averaging", "0.1.0", "Apache-2.0",
             levin::callback<levin::weight_averaging::WeightAveraging>(
                 "weight_averaging", "Averages the weights of all steps; validates and saves the average"),
             levin::callback<levin::weight_averaging::EmaWeightAveraging>(
                 "ema_weight_averaging", "Keeps an exponential moving average of the weights; validates and saves it"),
             levin::callback<levin::weight_averaging::StochasticWeightAveraging>(
                 "stochastic_weight_averaging",
                 "Averages the weights of the last epochs at a learning rate of its own"))
