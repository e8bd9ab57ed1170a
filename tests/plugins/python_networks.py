"""Networks in Python as their authors wrote them, for what torchvision does not have."""

import math

import torch
from torch import nn


class DoubleConv(nn.Module):
    def __init__(self, inside, out):
        super().__init__()
        self.double_conv = nn.Sequential(
            nn.Conv2d(inside, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True),
            nn.Conv2d(out, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True))

    def forward(self, x):
        return self.double_conv(x)


class Down(nn.Module):
    def __init__(self, inside, out):
        super().__init__()
        self.maxpool_conv = nn.Sequential(nn.MaxPool2d(2), DoubleConv(inside, out))

    def forward(self, x):
        return self.maxpool_conv(x)


class Up(nn.Module):
    def __init__(self, inside, out):
        super().__init__()
        self.up = nn.ConvTranspose2d(inside, inside // 2, kernel_size=2, stride=2)
        self.conv = DoubleConv(inside, out)

    def forward(self, x, skip):
        x = self.up(x)
        rows, columns = skip.size(2) - x.size(2), skip.size(3) - x.size(3)
        x = nn.functional.pad(x, [columns // 2, columns - columns // 2, rows // 2, rows - rows // 2])
        return self.conv(torch.cat([skip, x], dim=1))


class OutConv(nn.Module):
    def __init__(self, inside, out):
        super().__init__()
        self.conv = nn.Conv2d(inside, out, kernel_size=1)

    def forward(self, x):
        return self.conv(x)


class UNet(nn.Module):
    """milesial/Pytorch-UNet"""

    def __init__(self, channels, classes, width=64):
        super().__init__()
        self.inc = DoubleConv(channels, width)
        for i in range(4):
            self.add_module(f"down{i + 1}", Down(width << i, width << (i + 1)))
        for i in range(4):
            self.add_module(f"up{i + 1}", Up(width << (4 - i), width << (3 - i)))
        self.outc = OutConv(width, classes)

    def forward(self, x):
        x1 = self.inc(x)
        x2 = self.down1(x1)
        x3 = self.down2(x2)
        x4 = self.down3(x3)
        x5 = self.down4(x4)
        x = self.up4(self.up3(self.up2(self.up1(x5, x4), x3), x2), x1)
        return self.outc(x)


class CausalSelfAttention(nn.Module):
    def __init__(self, size, heads, length):
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.heads, self.size = heads, size
        self.register_buffer("mask", torch.tril(torch.ones(length, length)).view(1, 1, length, length), persistent=False)

    def forward(self, x):
        b, t, c = x.size()
        q, k, v = (part.view(b, t, self.heads, c // self.heads).transpose(1, 2)
                   for part in self.c_attn(x).split(self.size, dim=2))
        if hasattr(nn.functional, "scaled_dot_product_attention"):
            y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            att = att.masked_fill(self.mask[:, :, :t, :t] == 0, float("-inf")).softmax(dim=-1)
            y = att @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(b, t, c))


class MLP(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.c_fc, self.gelu, self.c_proj = nn.Linear(size, 4 * size), nn.GELU(), nn.Linear(4 * size, size)

    def forward(self, x):
        return self.c_proj(self.gelu(self.c_fc(x)))


class Block(nn.Module):
    def __init__(self, size, heads, length):
        super().__init__()
        self.ln_1, self.attn = nn.LayerNorm(size), CausalSelfAttention(size, heads, length)
        self.ln_2, self.mlp = nn.LayerNorm(size), MLP(size)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    """nanoGPT"""

    def __init__(self, vocabulary, length, layers, heads, size):
        super().__init__()
        self.transformer = nn.ModuleDict({
            "wte": nn.Embedding(vocabulary, size), "wpe": nn.Embedding(length, size),
            "h": nn.ModuleList(Block(size, heads, length) for _ in range(layers)), "ln_f": nn.LayerNorm(size)})
        self.lm_head = nn.Linear(size, vocabulary, bias=False)
        self.transformer.wte.weight = self.lm_head.weight

    def forward(self, tokens):
        x = self.transformer.wte(tokens) + self.transformer.wpe(torch.arange(tokens.size(1)))
        for block in self.transformer.h:
            x = block(x)
        return self.lm_head(self.transformer.ln_f(x)).transpose(1, 2)


class LSTMLanguageModel(nn.Module):
    """word_language_model of PyTorch's examples"""

    def __init__(self, vocabulary, embedding, hidden, layers):
        super().__init__()
        self.encoder = nn.Embedding(vocabulary, embedding)
        self.rnn = nn.LSTM(embedding, hidden, layers, batch_first=True)
        self.decoder = nn.Linear(hidden, vocabulary)

    def forward(self, tokens):
        return self.decoder(self.rnn(self.encoder(tokens))[0]).transpose(1, 2)


class TabularBlock(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.normalization = nn.BatchNorm1d(width)
        self.linear_first, self.linear_second = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x):
        return x + self.linear_second(self.linear_first(self.normalization(x)).relu())


class TabularHead(nn.Module):
    def __init__(self, width, outputs):
        super().__init__()
        self.normalization, self.linear = nn.BatchNorm1d(width), nn.Linear(width, outputs)

    def forward(self, x):
        return self.linear(self.normalization(x).relu())


class Tabular(nn.Module):
    """The ResNet of rtdl"""

    def __init__(self, columns, outputs, blocks, width, hidden):
        super().__init__()
        self.first_layer = nn.Linear(columns, width)
        self.blocks = nn.Sequential(*(TabularBlock(width, hidden) for _ in range(blocks)))
        self.head = TabularHead(width, outputs)

    def forward(self, x):
        return self.head(self.blocks(self.first_layer(x)))
