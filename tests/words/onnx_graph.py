"""Builds models of ONNX node by node."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def integers(*values):
    return np.array(values, np.int64)


def numbers(name, *shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def whole_numbers(name, *shape):
    return helper.make_tensor_value_info(name, TensorProto.INT64, shape)


class Graph:
    """Collects nodes and constants. Each method returns the name of its result."""

    def __init__(self):
        self.nodes = []
        self.constants = []
        self.count = 0

    def constant(self, value):
        self.count += 1
        name = f'constant_{self.count}'
        self.constants.append(numpy_helper.from_array(np.array(value, order='C', copy=True), name))
        return name

    def node(self, kind, inputs, name=None, **attributes):
        self.count += 1
        name = name or f'result_{self.count}'
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def model(self, name, inputs, outputs, metadata=()):
        graph = helper.make_graph(self.nodes, name, inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 20)], ir_version=9)
        for key, value in dict(metadata).items():
            entry = model.metadata_props.add()
            entry.key, entry.value = key, str(value)
        onnx.checker.check_model(model)
        return model
