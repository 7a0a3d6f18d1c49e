// The wire format of Protocol Buffers, as far as ONNX files need it. A message that is appended to another one is
// merged with it.

export interface Field {
  number: number;
  /** Of a text or message; empty for a number. */
  bytes: Uint8Array;
}

const wire = { varint: 0, eightBytes: 1, bytes: 2, fourBytes: 5 } as const;
const noBytes = new Uint8Array(0);

class ProtobufError extends Error {}

/** Reads a number of at most 53 bits, and where it ends. */
function varintAt(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0;
  for (let index = 0; index < 10; index++) {
    const byte = bytes[from + index];
    if (byte === undefined) throw new ProtobufError('a number ends too early');
    value += (byte & 127) * 2 ** (7 * index);
    if (byte < 128) return { value, end: from + index + 1 };
  }
  throw new ProtobufError('a number is too long');
}

function sizeOf(type: number, bytes: Uint8Array, at: number): { from: number; end: number } {
  if (type === wire.varint) return { from: at, end: varintAt(bytes, at).end };
  if (type === wire.eightBytes) return { from: at, end: at + 8 };
  if (type === wire.fourBytes) return { from: at, end: at + 4 };
  if (type !== wire.bytes) throw new ProtobufError(`unknown type ${type}`);
  const { value, end } = varintAt(bytes, at);
  return { from: end, end: end + value };
}

/**
 * Reads the fields of a message, as views.
 * @throws ProtobufError if it is damaged
 */
export function* messageFields(bytes: Uint8Array): Generator<Field> {
  for (let at = 0; at < bytes.length;) {
    const { value: key, end: afterKey } = varintAt(bytes, at);
    const type = key % 8;
    const { from, end } = sizeOf(type, bytes, afterKey);
    if (end > bytes.length) throw new ProtobufError('a field is cut off');
    yield { number: Math.floor(key / 8), bytes: type === wire.bytes ? bytes.subarray(from, end) : noBytes };
    at = end;
  }
}

/** Whether an error says that bytes are no message. */
export const isProtobufError = (error: unknown): boolean => error instanceof ProtobufError;

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.of(...bytes, rest);
}

export const concatenated = (parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** A field with a number. */
export const numberField = (number: number, value: number): Uint8Array =>
  concatenated([varint(number * 8 + wire.varint), varint(value)]);

/** A field with bytes or a message. */
export const bytesField = (number: number, bytes: Uint8Array): Uint8Array =>
  concatenated([varint(number * 8 + wire.bytes), varint(bytes.length), bytes]);
