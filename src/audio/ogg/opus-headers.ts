import { fromUtf8, utf8 } from '#base/utf8.ts';

/** The identification header of an Ogg/Opus stream (RFC 7845 §5.1). */
export interface OpusHead {
  channels: number;
  /** Samples at 48 kHz that a decoder discards at the start. */
  preSkip: number;
  /** Sample rate of the captured sound; informative only, granule positions always count at 48 kHz. */
  inputSampleRateHz: number;
}

/** The comment header of an Ogg/Opus stream (RFC 7845 §5.2). */
export interface OpusTags {
  vendor: string;
  /** Each is `NAME=value`. */
  comments: readonly string[];
}

const headMagic = 'OpusHead';
const tagsMagic = 'OpusTags';
const headBytes = 19;

/** Writes OpusHead with channel mapping family 0: mono or stereo (RFC 7845 §5.1). */
export function writeOpusHead(head: OpusHead): Uint8Array {
  if (head.channels !== 1 && head.channels !== 2)
    throw new RangeError(`mapping family 0 holds 1 or 2 channels, received ${head.channels}`);
  const bytes = new Uint8Array(headBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(utf8(headMagic));
  view.setUint8(8, 1); // version
  view.setUint8(9, head.channels);
  writePreSkip(bytes, head.preSkip);
  view.setUint32(12, head.inputSampleRateHz, true);
  return bytes; // output gain 0 and mapping family 0 are the zeros that remain
}

/** Changes the pre-skip of an OpusHead in place. */
export function writePreSkip(opusHead: Uint8Array, preSkip: number): void {
  new DataView(opusHead.buffer, opusHead.byteOffset, opusHead.length).setUint16(10, preSkip, true);
}

/** Reads OpusHead; null if the bytes are something else, or of an incompatible version (RFC 7845 §5.1). */
export function readOpusHead(bytes: Uint8Array): OpusHead | null {
  if (bytes.length < headBytes || !startsWith(bytes, headMagic)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // "Implementations SHOULD treat streams where the upper four bits of the version number match as backwards
  // compatible".
  if (view.getUint8(8) >= 16) return null;
  return {
    channels: view.getUint8(9),
    preSkip: view.getUint16(10, true),
    inputSampleRateHz: view.getUint32(12, true),
  };
}

/** Writes OpusTags (RFC 7845 §5.2). */
export function writeOpusTags(tags: OpusTags): Uint8Array {
  const texts = [tags.vendor, ...tags.comments].map(utf8);
  const bytes = new Uint8Array(8 + 4 + texts.reduce((sum, text) => sum + 4 + text.length, 0));
  const view = new DataView(bytes.buffer);
  bytes.set(utf8(tagsMagic));
  let offsetBytes = 8;
  texts.forEach((text, index) => {
    view.setUint32(offsetBytes, text.length, true);
    bytes.set(text, offsetBytes + 4);
    offsetBytes += 4 + text.length;
    if (index > 0) return;
    view.setUint32(offsetBytes, tags.comments.length, true);
    offsetBytes += 4;
  });
  return bytes;
}

/** Reads OpusTags; null if the bytes are something else, or a length exceeds them. */
export function readOpusTags(bytes: Uint8Array): OpusTags | null {
  if (bytes.length < 16 || !startsWith(bytes, tagsMagic)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let offsetBytes = 8;
  const number = () => {
    offsetBytes += 4;
    return view.getUint32(offsetBytes - 4, true);
  };
  const text = () => {
    const sizeBytes = number();
    if (offsetBytes + sizeBytes > bytes.length) throw new RangeError('a tag ends outside of the header');
    offsetBytes += sizeBytes;
    return fromUtf8(bytes.subarray(offsetBytes - sizeBytes, offsetBytes));
  };
  try {
    const vendor = text();
    const comments: string[] = [];
    for (let left = number(); left > 0; left--) comments.push(text());
    return { vendor, comments };
  } catch (error) {
    if (error instanceof RangeError || error instanceof URIError) return null;
    throw error;
  }
}

const startsWith = (bytes: Uint8Array, magic: string): boolean =>
  utf8(magic).every((byte, index) => bytes[index] === byte);
