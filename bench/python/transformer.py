import math

import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.merge = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def attention(self, x, mask):
        rows, length, width = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads) + mask
        return (scores.softmax(-1) @ v).transpose(1, 2).reshape(rows, length, width)

    def forward(self, x, mask):
        x = x + self.merge(self.attention(self.norm1(x), mask))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Transformer(nn.Module):
    def __init__(self, vocabulary=64, width=64, heads=4, layers=2, longest=64):
        super().__init__()
        self.characters, self.places = nn.Embedding(vocabulary, width), nn.Embedding(longest, width)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.norm, self.out = nn.LayerNorm(width), nn.Linear(width, vocabulary)
        self.register_buffer("place", torch.arange(longest))
        self.register_buffer("mask", torch.full((longest, longest), -math.inf).triu(1))

    def forward(self, x):
        x = self.characters(x) + self.places(self.place)
        for layer in self.layers:
            x = layer(x, self.mask)
        return self.out(self.norm(x))
