"""Converts Whisper from CTranslate2 to the files that the engine loads: python convert_whisper.py FROM TO

FROM has model.bin, config.json and vocabulary.txt. TO gets encoder.int8.onnx, decoder.int8.onnx and tokens.txt.
"""
import base64
import json
import os
import struct
import sys
import numpy as np
import onnx
from onnx import TensorProto
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnx_graph import Graph, integers, numbers, whole_numbers

AUDIO_POSITIONS = 1500
TEXT_POSITIONS = 448
FREQUENCIES = 80
TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}


def read_weights(path):
    """Reads the weights of a CTranslate2 model by name."""
    with open(path, 'rb') as file:

        def number(kind):
            return struct.unpack('<' + kind, file.read(struct.calcsize('<' + kind)))[0]

        def text():
            return file.read(number('H'))[:-1].decode()

        version = number('I')
        text()
        number('I')
        weights = {}
        for _ in range(number('I')):
            name = text()
            shape = [number('I') for _ in range(number('B'))]
            kind, size = number('B'), number('I')
            weights[name] = np.frombuffer(file.read(size), dtype=TYPES[kind]).reshape(shape)
        if version >= 3:
            for _ in range(number('I')):
                alias, name = text(), text()
                weights[alias] = weights[name]
    return weights


source, target = sys.argv[1], sys.argv[2]
os.makedirs(target, exist_ok=True)
WEIGHTS = read_weights(os.path.join(source, 'model.bin'))


def weight(name):
    return np.asarray(WEIGHTS[name]).astype(np.float32)


def layers_of(part):
    numbers = (name.split('/')[1].removeprefix('layer_') for name in WEIGHTS if name.startswith(f'{part}/layer_'))
    return 1 + max(int(number) for number in numbers if number.isdigit())


WIDTH = weight('encoder/position_encodings/encodings').shape[1]
HEADS = int(WEIGHTS['encoder/num_heads'])
ENCODER_LAYERS, DECODER_LAYERS = layers_of('encoder'), layers_of('decoder')
EMBEDDINGS = weight('decoder/embeddings/weight')
with open(os.path.join(source, 'config.json'), encoding='utf8') as file:
    ALIGNMENT = json.load(file)['alignment_heads']
with open(os.path.join(source, 'vocabulary.txt'), encoding='utf8') as file:
    VOCABULARY = file.read().split('\n')


class WhisperGraph(Graph):
    """The layers of Whisper. Each method returns the name of its result."""

    def linear(self, value, matrix, bias=None):
        product = self.node('MatMul', [value, self.constant(matrix.T)])
        return product if bias is None else self.node('Add', [product, self.constant(bias)])

    def layer(self, value, name):
        return self.linear(value, weight(f'{name}/weight'), weight(f'{name}/bias'))

    def normalized(self, value, name):
        scale, bias = self.constant(weight(f'{name}/gamma')), self.constant(weight(f'{name}/beta'))
        return self.node('LayerNormalization', [value, scale, bias], axis=-1, epsilon=1e-5)

    def heads(self, value):
        shape = self.constant(integers(0, 0, HEADS, WIDTH // HEADS))
        return self.node('Transpose', [self.node('Reshape', [value, shape])], perm=[0, 2, 1, 3])

    def attention(self, query, key, value, mask=None):
        """Returns the result and the weights."""
        scale = self.constant(np.float32((WIDTH // HEADS) ** -0.5))
        scaled = self.heads(self.node('Mul', [query, scale]))
        turned = self.node('Transpose', [self.heads(key)], perm=[0, 1, 3, 2])
        weights = self.node('MatMul', [scaled, turned])
        if mask is not None:
            weights = self.node('Add', [weights, mask])
        weights = self.node('Softmax', [weights], axis=-1)
        mixed = self.node('Transpose', [self.node('MatMul', [weights, self.heads(value)])], perm=[0, 2, 1, 3])
        return self.node('Reshape', [mixed, self.constant(integers(0, 0, WIDTH))]), weights

    def forward(self, value, name):
        hidden = self.layer(self.normalized(value, f'{name}/layer_norm'), f'{name}/linear_0')
        return self.node('Add', [value, self.layer(self.node('Gelu', [hidden]), f'{name}/linear_1')])

    def save(self, name, inputs, outputs, metadata=()):
        model = self.model(name, inputs, outputs, metadata)
        whole, small = (os.path.join(target, f'{name}{suffix}') for suffix in ('.onnx', '.int8.onnx'))
        onnx.save(model, whole)
        quantize_dynamic(whole, small, op_types_to_quantize=['MatMul'], weight_type=QuantType.QInt8)
        os.remove(whole)


def self_attention(graph, value, name):
    """The query, key and value of a layer, which are one matrix in the file. Keys have no bias."""
    query, key, own = np.split(weight(f'{name}/linear_0/weight'), 3)
    query_bias, _, own_bias = np.split(weight(f'{name}/linear_0/bias'), 3)
    normal = graph.normalized(value, f'{name}/layer_norm')
    return graph.linear(normal, query, query_bias), graph.linear(normal, key), graph.linear(normal, own, own_bias)


CROSS = (DECODER_LAYERS, 'n', 'time', WIDTH)
END = VOCABULARY.index('<|endoftext|>')
START = VOCABULARY.index('<|startoftranscript|>')
TRANSLATE = VOCABULARY.index('<|translate|>')
LANGUAGES = VOCABULARY[START + 1 : TRANSLATE]
META = dict(
    model_type='whisper-base',
    version=1,
    maintainer='Earshot',
    n_mels=FREQUENCIES,
    n_audio_ctx=AUDIO_POSITIONS,
    n_audio_state=WIDTH,
    n_audio_head=HEADS,
    n_audio_layer=ENCODER_LAYERS,
    n_vocab=EMBEDDINGS.shape[0],
    n_text_ctx=TEXT_POSITIONS,
    n_text_state=WIDTH,
    n_text_head=HEADS,
    n_text_layer=DECODER_LAYERS,
    sot_sequence=f'{START},{START + 1},{TRANSLATE + 1}',
    all_language_tokens=','.join(str(START + 1 + index) for index in range(len(LANGUAGES))),
    all_language_codes=','.join(language[2:-2] for language in LANGUAGES),
    sot=START,
    sot_index=0,
    eot=END,
    blank_id=220,
    is_multilingual=1,
    non_speech_tokens='',
    translate=TRANSLATE,
    transcribe=TRANSLATE + 1,
    sot_lm=TRANSLATE + 2,
    sot_prev=TRANSLATE + 3,
    no_speech=TRANSLATE + 4,
    no_timestamps=TRANSLATE + 5,
    n_alignment_heads=len(ALIGNMENT),
)


def encoder():
    graph = WhisperGraph()
    sound = 'mel'
    for index, strides in ((1, [1]), (2, [2])):
        inputs = [graph.constant(weight(f'encoder/conv{index}/{part}')) for part in ('weight', 'bias')]
        convolved = graph.node('Conv', [sound, *inputs], pads=[1, 1], strides=strides)
        sound = graph.node('Gelu', [convolved])
    sound = graph.node('Transpose', [sound], perm=[0, 2, 1])
    length = graph.node('Shape', [sound], start=1, end=2)
    zero = graph.constant(integers(0))
    places = graph.constant(weight('encoder/position_encodings/encodings'))
    sound = graph.node('Add', [sound, graph.node('Slice', [places, zero, length, zero])])
    for index in range(ENCODER_LAYERS):
        name = f'encoder/layer_{index}'
        heard, _ = graph.attention(*self_attention(graph, sound, f'{name}/self_attention'))
        sound = graph.node('Add', [sound, graph.layer(heard, f'{name}/self_attention/linear_1')])
        sound = graph.forward(sound, f'{name}/ffn')
    sound = graph.normalized(sound, 'encoder/layer_norm')
    keys, values = [], []
    for index in range(DECODER_LAYERS):
        name = f'decoder/layer_{index}/attention/linear_1'
        key, value = np.split(weight(f'{name}/weight'), 2)
        _, bias = np.split(weight(f'{name}/bias'), 2)
        keys.append(graph.node('Unsqueeze', [graph.linear(sound, key), zero]))
        values.append(graph.node('Unsqueeze', [graph.linear(sound, value, bias), zero]))
    graph.node('Concat', keys, name='n_layer_cross_k', axis=0)
    graph.node('Concat', values, name='n_layer_cross_v', axis=0)
    outputs = [numbers('n_layer_cross_k', *CROSS), numbers('n_layer_cross_v', *CROSS)]
    graph.save('encoder', [numbers('mel', 'n', FREQUENCIES, 'T')], outputs, META)


def decoder():
    graph = WhisperGraph()
    zero, one, end_of_text = (graph.constant(integers(value)) for value in (0, 1, TEXT_POSITIONS))
    length = graph.node('Shape', ['tokens'], start=1, end=2)
    end = graph.node('Add', ['offset', length])
    half = graph.node('Gather', [graph.constant(EMBEDDINGS.astype(np.float16)), 'tokens'], axis=0)
    text = graph.node('Cast', [half], to=TensorProto.FLOAT)
    places = graph.constant(weight('decoder/position_encodings/encodings'))
    text = graph.node('Add', [text, graph.node('Slice', [places, 'offset', end, zero])])
    later = graph.constant(np.triu(np.full((TEXT_POSITIONS, TEXT_POSITIONS), -1e9, np.float32), 1))
    mask = graph.node('Slice', [graph.node('Slice', [later, 'offset', end, zero]), zero, end, one])
    caches, aligned = {'k': [], 'v': []}, []
    for index in range(DECODER_LAYERS):
        name = f'decoder/layer_{index}'
        place = graph.constant(np.array(index, np.int64))
        query, *own = self_attention(graph, text, f'{name}/self_attention')
        known = []
        for part, new in zip('kv', own):
            cache = graph.node('Gather', [f'in_n_layer_self_{part}_cache', place], axis=0)
            before = graph.node('Slice', [cache, zero, 'offset', one])
            both = graph.node('Concat', [before, new], axis=1)
            after = graph.node('Slice', [cache, end, end_of_text, one])
            whole = graph.node('Concat', [both, after], axis=1)
            caches[part].append(graph.node('Unsqueeze', [whole, zero]))
            known.append(both)
        heard, _ = graph.attention(query, *known, mask)
        text = graph.node('Add', [text, graph.layer(heard, f'{name}/self_attention/linear_1')])
        query = graph.layer(graph.normalized(text, f'{name}/attention/layer_norm'), f'{name}/attention/linear_0')
        sound = [graph.node('Gather', [f'n_layer_cross_{part}', place], axis=0) for part in 'kv']
        heard, weights = graph.attention(query, *sound)
        heads = [head for layer, head in ALIGNMENT if layer == index]
        if heads:
            aligned.append(graph.node('Gather', [weights, graph.constant(integers(*heads))], axis=1))
        text = graph.node('Add', [text, graph.layer(heard, f'{name}/attention/linear_2')])
        text = graph.forward(text, f'{name}/ffn')
    text = graph.normalized(text, 'decoder/layer_norm')
    graph.node('MatMul', [text, graph.constant(EMBEDDINGS.T)], name='logits')
    for part in 'kv':
        graph.node('Concat', caches[part], name=f'out_n_layer_self_{part}_cache', axis=0)
    graph.node('Concat', aligned, name='cross_attention_weights', axis=1)
    cache = (DECODER_LAYERS, 'n', TEXT_POSITIONS, WIDTH)
    inputs = [whole_numbers('tokens', 'n', 't')]
    inputs += [numbers(f'in_n_layer_self_{part}_cache', *cache) for part in 'kv']
    inputs += [numbers(f'n_layer_cross_{part}', *CROSS) for part in 'kv']
    inputs += [whole_numbers('offset', 1)]
    outputs = [numbers('logits', 'n', 't', len(EMBEDDINGS))]
    outputs += [numbers(f'out_n_layer_self_{part}_cache', *cache) for part in 'kv']
    outputs += [numbers('cross_attention_weights', 'n', len(ALIGNMENT), 't', 'time')]
    graph.save('decoder', inputs, outputs)


def tokens():
    """The vocabulary has letters for bytes; the engine reads base64."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    bytes_of = {chr(byte): byte for byte in printable}
    bytes_of.update({chr(256 + index): byte for index, byte in enumerate(others)})
    with open(os.path.join(target, 'tokens.txt'), 'w', encoding='ascii') as file:
        for index, token in enumerate(VOCABULARY[:END]):
            encoded = base64.b64encode(bytes(bytes_of[letter] for letter in token)).decode()
            file.write(f'{encoded} {index}\n')


encoder()
decoder()
tokens()
