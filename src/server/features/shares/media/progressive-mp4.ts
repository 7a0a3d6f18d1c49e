import type { ReadBytes } from '#audio/ogg/joined-facts.ts';

/** A file as its parts in order: a header, then ranges of the file that it was made from. */
export interface ProgressiveMp4 {
  header: Uint8Array;
  ranges: readonly { startByte: number; endByteExclusive: number }[];
}

interface Box {
  type: string;
  startByte: number;
  /** Of its content. */
  contentByte: number;
  endByte: number;
}

/** The frames of one fragment, and where its bytes are. */
interface Fragment {
  startByte: number;
  endByteExclusive: number;
  frames: number;
}

/** Samples of an AAC frame. */
const frameSamples = 1024;
/** What ffmpeg's encoder adds before the sound (`initial_padding`): one frame. */
const primingSamples = frameSamples;
const boxHeaderBytes = 8;
const maxBoxBytes = 16 * 1024 * 1024;
const containers = new Set(['trak', 'mdia', 'minf', 'moof', 'traf', 'mvex']);

/** Optional fields of `tfhd` and of `trun`, in order, with their flags and lengths in bytes (ISO 14496-12 §8.8.7, §8.8.8). */
const tfhdFields = {
  baseOffset: [0x1, 8],
  description: [0x2, 4],
  samples: [0x8, 4],
  bytes: [0x10, 4],
} as const;
const trunFields = { offset: [0x1, 4], firstFlags: [0x4, 4] } as const;
const frameFields = { samples: [0x100, 4], bytes: [0x200, 4], flags: [0x400, 4], shift: [0x800, 4] } as const;

const box = (type: string, ...content: Uint8Array[]): Buffer => {
  const header = Buffer.alloc(boxHeaderBytes);
  header.writeUInt32BE(boxHeaderBytes + content.reduce((sum, { length }) => sum + length, 0));
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, ...content]);
};

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
};

const longWord = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};

/** The boxes between two bytes. */
function boxesIn(bytes: Buffer, startByte = 0, endByte = bytes.length): Box[] {
  const found: Box[] = [];
  for (let at = startByte; at < endByte;) {
    const sizeBytes = bytes.readUInt32BE(at);
    if (sizeBytes < boxHeaderBytes || at + sizeBytes > endByte) throw new RangeError('a box is cut off');
    found.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      startByte: at,
      contentByte: at + boxHeaderBytes,
      endByte: at + sizeBytes,
    });
    at += sizeBytes;
  }
  return found;
}

/** The only box of a type, at any depth. */
function boxOf(bytes: Buffer, type: string): Box {
  const inside = (boxes: Box[]): Box[] =>
    boxes.flatMap((each) =>
      containers.has(each.type) ? [each, ...inside(boxesIn(bytes, each.contentByte, each.endByte))] : [each],
    );
  const [found, another] = inside(boxesIn(bytes)).filter((each) => each.type === type);
  if (found === undefined || another !== undefined) throw new RangeError(`not one ${type}`);
  return found;
}

/** The sizes of all frames, in a few bytes for each: a day has four million. */
class FrameTable {
  #sizes = new Uint32Array(4096);
  #count = 0;
  readonly #durations: { frames: number; samples: number }[] = [];
  totalSamples = 0;

  add(sizeBytes: number, samples: number): void {
    if (this.#count === this.#sizes.length) {
      const longer = new Uint32Array(this.#count * 2);
      longer.set(this.#sizes);
      this.#sizes = longer;
    }
    this.#sizes[this.#count] = sizeBytes;
    this.#count += 1;
    this.totalSamples += samples;
    const last = this.#durations.at(-1);
    if (last?.samples === samples) last.frames += 1;
    else this.#durations.push({ frames: 1, samples });
  }

  /** `stts` and `stsz` (ISO 14496-12 §8.6.1.2, §8.7.3.2). */
  boxes(): Buffer[] {
    const sizes = Buffer.from(this.#sizes.slice(0, this.#count).buffer).swap32();
    const durations = this.#durations.flatMap(({ frames, samples }) => [frames, samples]);
    return [
      box('stts', words(0, this.#durations.length, ...durations)),
      box('stsz', words(0, 0, this.#count), sizes),
    ];
  }
}

/** Reads the fields that the flags name, as 32-bit numbers. */
function readFields<Name extends string>(
  { bytes, at, flags }: { bytes: Buffer; at: number; flags: number },
  fields: Readonly<Record<Name, readonly [flag: number, lengthBytes: number]>>,
): { values: Partial<Record<string, number>>; endByte: number } {
  const values: Partial<Record<string, number>> = {};
  let endByte = at;
  for (const [name, [flag, lengthBytes]] of Object.entries<readonly [number, number]>(fields)) {
    if ((flags & flag) === 0) continue;
    values[name] = bytes.readUInt32BE(endByte);
    endByte += lengthBytes;
  }
  return { values, endByte };
}

/** Reads the frames of a fragment into the table. Returns their number. */
function readFragment(moof: Buffer, table: FrameTable, payloadBytes: number): number {
  const [tfhd, trun] = [boxOf(moof, 'tfhd').contentByte, boxOf(moof, 'trun').contentByte];
  const flagsAt = (at: number) => moof.readUInt32BE(at) & 0xffffff;
  const usual = readFields({ bytes: moof, at: tfhd + 8, flags: flagsAt(tfhd) }, tfhdFields).values;
  const flags = flagsAt(trun);
  const frames = moof.readUInt32BE(trun + 4);
  let at = readFields({ bytes: moof, at: trun + 8, flags }, trunFields).endByte;
  let sumBytes = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const { values, endByte } = readFields({ bytes: moof, at, flags }, frameFields);
    const sizeBytes = values['bytes'] ?? usual['bytes'] ?? 0;
    table.add(sizeBytes, values['samples'] ?? usual['samples'] ?? frameSamples);
    sumBytes += sizeBytes;
    at = endByte;
  }
  if (sumBytes !== payloadBytes) throw new RangeError('a fragment has other bytes than frames');
  return frames;
}

/** `stsc` and `co64`: each fragment is a chunk (ISO 14496-12 §8.7.4, §8.7.5). */
function chunkBoxes(fragments: readonly Fragment[], firstByte: number): Buffer[] {
  const runs: number[] = [];
  const offsets: Buffer[] = [];
  let [atByte, lastFrames] = [firstByte, -1];
  fragments.forEach(({ startByte, endByteExclusive, frames }, index) => {
    if (frames !== lastFrames) runs.push(index + 1, frames, 1);
    lastFrames = frames;
    offsets.push(longWord(atByte));
    atByte += endByteExclusive - startByte;
  });
  return [
    box('stsc', words(0, runs.length / 3), words(...runs)),
    box('co64', words(0, fragments.length), ...offsets),
  ];
}

interface Index {
  moov: Buffer;
  fragments: readonly Fragment[];
  table: FrameTable;
  durationMs: number;
}

/** The index of all frames. Its size does not depend on the offset of the first one. */
function moovOf({ moov, fragments, table, durationMs }: Index, firstByte: number): Buffer {
  const content = (type: string) => {
    const { contentByte, endByte } = boxOf(moov, type);
    return Buffer.from(moov.subarray(contentByte, endByte));
  };
  const whole = (type: string) => {
    const { startByte, endByte } = boxOf(moov, type);
    return moov.subarray(startByte, endByte);
  };
  const [mvhd, tkhd, mdhd] = [content('mvhd'), content('tkhd'), content('mdhd')];
  // ffmpeg writes version 0 of all three (ISO 14496-12 §8.2.2, §8.3.2, §8.4.2).
  if (mvhd[0] !== 0 || tkhd[0] !== 0 || mdhd[0] !== 0) throw new RangeError('an unknown version');
  const length = Math.round((durationMs * mvhd.readUInt32BE(12)) / 1000);
  mvhd.writeUInt32BE(length, 16);
  tkhd.writeUInt32BE(length, 20);
  const zero = longWord(0);
  const media = [words(0x0100_0000), zero, zero, mdhd.subarray(12, 16), longWord(table.totalSamples)];
  const stbl = boxOf(moov, 'stbl');
  const stsd = boxesIn(moov, stbl.contentByte, stbl.endByte).find(({ type }) => type === 'stsd');
  if (stsd === undefined) throw new RangeError('no stsd');
  return box(
    'moov',
    box('mvhd', mvhd),
    box(
      'trak',
      box('tkhd', tkhd),
      box('edts', box('elst', words(0, 1, length, primingSamples, 0x0001_0000))),
      box(
        'mdia',
        box('mdhd', ...media, mdhd.subarray(20, 24)),
        whole('hdlr'),
        box(
          'minf',
          whole('smhd'),
          whole('dinf'),
          box(
            'stbl',
            moov.subarray(stsd.startByte, stsd.endByte),
            ...table.boxes(),
            ...chunkBoxes(fragments, firstByte),
          ),
        ),
      ),
    ),
  );
}

const headerTypes = new Set(['ftyp', 'moov', 'moof']);

/** The box that starts at a byte of a file. */
async function boxAt(
  read: ReadBytes,
  at: number,
  sizeBytes: number,
): Promise<{ type: string; endByte: number }> {
  if (at + boxHeaderBytes > sizeBytes) throw new RangeError('the file is cut off');
  const header = Buffer.from(await read(at, at + boxHeaderBytes));
  const boxBytes = header.readUInt32BE();
  if (boxBytes < boxHeaderBytes || boxBytes > maxBoxBytes || at + boxBytes > sizeBytes)
    throw new RangeError('an impossible box');
  return { type: header.toString('latin1', 4, 8), endByte: at + boxBytes };
}

/**
 * Lays out a fragmented MP4 of one AAC track, as ffmpeg streams it, as a progressive one: with its index in front and
 * nothing else of its headers. Firefox and WebKit cannot seek in a fragmented file that is not played by a script
 * (measured with Firefox 153 and WebKitGTK 2.50), and Chromium reads all of it first.
 * @throws RangeError if the file is anything else
 */
export async function progressiveMp4(
  { read, sizeBytes }: { read: ReadBytes; sizeBytes: number },
  durationMs: number,
): Promise<ProgressiveMp4> {
  const table = new FrameTable();
  const fragments: Fragment[] = [];
  const loaded = new Map<string, Buffer>();
  for (let at = 0; at < sizeBytes;) {
    const { type, endByte } = await boxAt(read, at, sizeBytes);
    if (type === 'mdat') {
      const startByte = at + boxHeaderBytes;
      const frames = readFragment(loaded.get('moof') ?? Buffer.alloc(0), table, endByte - startByte);
      fragments.push({ startByte, endByteExclusive: endByte, frames });
    } else if (headerTypes.has(type)) loaded.set(type, Buffer.from(await read(at, endByte)));
    at = endByte;
  }
  const [ftyp, moov] = [loaded.get('ftyp'), loaded.get('moov')?.subarray(boxHeaderBytes)];
  if (ftyp === undefined || moov === undefined || fragments.length === 0) throw new RangeError('no sound');
  const payloadBytes = fragments.reduce((sum, each) => sum + each.endByteExclusive - each.startByte, 0);
  // A box of more than four gigabytes has its size behind its type (ISO 14496-12 §4.2).
  const mdat = Buffer.concat([words(1), Buffer.from('mdat', 'latin1'), longWord(payloadBytes + 16)]);
  const index = { moov, fragments, table, durationMs };
  const headerBytes = ftyp.length + moovOf(index, 0).length + mdat.length;
  return {
    header: Buffer.concat([ftyp, moovOf(index, headerBytes), mdat]),
    ranges: fragments.map(({ startByte, endByteExclusive }) => ({ startByte, endByteExclusive })),
  };
}
