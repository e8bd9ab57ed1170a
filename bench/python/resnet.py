import torch
import torch.nn.functional as F
from torch import nn


def conv(inputs, outputs, kernel, stride=1):
    return nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1, self.bn1 = conv(inputs, outputs, 3, stride), nn.BatchNorm2d(outputs)
        self.conv2, self.bn2 = conv(outputs, outputs, 3), nn.BatchNorm2d(outputs)
        self.downsample = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(conv(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)), inplace=True)
        return F.relu(self.bn2(self.conv2(y)).add_(self.downsample(x)), inplace=True)


class ResNet(nn.Module):
    """The networks of the plugin resnet; blocks: per stage."""
    def __init__(self, blocks, width, kernel, stride, pool, channels, classes):
        super().__init__()
        self.conv1, self.bn1, self.pool = conv(channels, width, kernel, stride), nn.BatchNorm2d(width), pool
        inputs, layers = width, []
        for stage, count in enumerate(blocks):
            outputs = width * 2**stage
            for i in range(count):
                layers.append(Block(inputs, outputs, 2 if i == 0 and stage > 0 else 1))
                inputs = outputs
        self.layers, self.fc = nn.Sequential(*layers), nn.Linear(inputs, classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)), inplace=True)
        if self.pool:
            x = F.max_pool2d(x, 3, 2, 1)
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(self.layers(x), 1), 1))


def default_resnet():
    return ResNet([1, 1, 1], 16, 3, 2, False, 1, 10)
