import { fromUtf8, utf8 } from '#base/utf8.ts';
import { bytesField, concatenated, messageFields, isProtobufError, numberField } from './protobuf.ts';

/** The output from which the engine computes the times of words. */
const outputName = 'cross_attention_weights';

/** A head of a layer of the decoder, which follows the sound. */
type Head = readonly [layer: number, head: number];

/** The heads that follow the sound, by the number of layers: of Whisper base, and of the toy model of the tests. */
const alignmentHeads: Readonly<Record<number, readonly Head[]>> = {
  1: [[0, 0]],
  6: [
    [3, 1],
    [4, 2],
    [4, 3],
    [4, 7],
    [5, 1],
    [5, 2],
    [5, 4],
    [5, 6],
  ],
};

// Numbers of fields in onnx.proto.
const model = { graph: 7 } as const;
const graph = { node: 1, initializer: 5, output: 12 } as const;
const node = { input: 1, output: 2, kind: 4, attribute: 5 } as const;
const attribute = { name: 1, integer: 3, type: 20, integerType: 2 } as const;
const tensor = { dims: 1, dataType: 2, name: 8, rawData: 9, int64: 7 } as const;
const value = { name: 1, type: 2 } as const;
const type = { tensor: 1, elementType: 1, shape: 2, float: 1 } as const;
const shape = { dimension: 1, size: 1, name: 2 } as const;

const text = (number: number, content: string): Uint8Array => bytesField(number, utf8(content));
const message = (number: number, parts: readonly Uint8Array[]): Uint8Array =>
  bytesField(number, concatenated(parts));

function textOf(bytes: Uint8Array, number: number): string {
  const field = [...messageFields(bytes)].find((each) => each.number === number);
  return field === undefined ? '' : fromUtf8(field.bytes);
}

interface ReadGraph {
  /** The results of all nodes that compute attention, in order. */
  softmaxes: string[];
  outputs: string[];
}

function readGraph(decoder: Uint8Array): ReadGraph {
  const read: ReadGraph = { softmaxes: [], outputs: [] };
  for (const { number, bytes } of messageFields(decoder)) {
    if (number !== model.graph) continue;
    for (const part of messageFields(bytes)) {
      if (part.number === graph.output) read.outputs.push(textOf(part.bytes, value.name));
      if (part.number === graph.node && textOf(part.bytes, node.kind) === 'Softmax')
        read.softmaxes.push(textOf(part.bytes, node.output));
    }
  }
  return read;
}

function nodeField(kind: string, inputs: readonly string[], output: string): Uint8Array {
  return message(graph.node, [
    ...inputs.map((input) => text(node.input, input)),
    text(node.output, output),
    text(node.kind, kind),
    message(node.attribute, [
      text(attribute.name, 'axis'),
      numberField(attribute.integer, 1),
      numberField(attribute.type, attribute.integerType),
    ]),
  ]);
}

/** A constant list of heads. */
function headsField(name: string, heads: readonly number[]): Uint8Array {
  const raw = new Uint8Array(8 * heads.length);
  const view = new DataView(raw.buffer);
  heads.forEach((head, index) => view.setBigInt64(8 * index, BigInt(head), true));
  return message(graph.initializer, [
    numberField(tensor.dims, heads.length),
    numberField(tensor.dataType, tensor.int64),
    text(tensor.name, name),
    bytesField(tensor.rawData, raw),
  ]);
}

function outputField(heads: number): Uint8Array {
  const dimension = (part: Uint8Array): Uint8Array => bytesField(shape.dimension, part);
  return message(graph.output, [
    text(value.name, outputName),
    message(value.type, [
      message(type.tensor, [
        numberField(type.elementType, type.float),
        message(type.shape, [
          dimension(text(shape.name, 'batch')),
          dimension(numberField(shape.size, heads)),
          dimension(text(shape.name, 'tokens')),
          dimension(text(shape.name, 'frames')),
        ]),
      ]),
    ]),
  ]);
}

/**
 * Gives a Whisper decoder the output that times of words are computed from. Published files often lack it. Returns
 * the bytes to append to the file; null if it has the output or is not understood.
 */
export function patchAttention(decoder: Uint8Array): Uint8Array | null {
  let read: ReadGraph;
  try {
    read = readGraph(decoder);
  } catch (error) {
    if (isProtobufError(error)) return null;
    throw error;
  }
  // Each layer attends to the text first, then to the sound.
  const toSound = read.softmaxes.filter((_, index) => index % 2 === 1);
  const heads = alignmentHeads[toSound.length];
  const isKnown = heads !== undefined && read.softmaxes.length === 2 * toSound.length;
  if (!isKnown || read.outputs.includes(outputName)) return null;
  const parts: Uint8Array[] = [];
  const gathered: string[] = [];
  for (const layer of new Set(heads.map(([each]) => each))) {
    const [weights, name] = [toSound[layer] ?? '', `earshot_heads_${layer}`];
    parts.push(
      headsField(
        name,
        heads.filter(([each]) => each === layer).map(([, head]) => head),
      ),
      nodeField('Gather', [weights, name], `earshot_attention_${layer}`),
    );
    gathered.push(`earshot_attention_${layer}`);
  }
  parts.push(nodeField('Concat', gathered, outputName), outputField(heads.length));
  return message(model.graph, parts);
}
