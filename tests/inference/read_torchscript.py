"""Reads a network written by `host export --format torchscript`, as a program without Levin does."""

import sys

import torch

net = torch.jit.load(sys.argv[1])
weights = torch.load(sys.argv[2])
state = net.state_dict()
assert set(state) == set(weights), set(state) ^ set(weights)
assert all(torch.equal(state[name], weights[name]) for name in weights)
with torch.no_grad():
    x = torch.rand(5, 1, 12, 12)
    y = net(x)
    assert y.dim() == 2 and y.shape[0] == 5, y.shape
    for rows in (1, 3):
        assert torch.allclose(net(x[:rows]), y[:rows], rtol=1e-3, atol=1e-4)
    assert not net.training and torch.equal(net.eval()(x), y)
    assert net.double()(x.double()).dtype == torch.float64
# It can be trained further, even in evaluation mode: gradients reach every weight.
net.float()(torch.rand(4, 1, 12, 12)).sum().backward()
assert all(p.grad is not None for p in net.parameters())
print("Python", torch.__version__, "reads the network")
