import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { ElementWalk, type ElementStep } from './element-walk.ts';

const headerBytes = 8;
/** The tables of a fragment of some seconds are far smaller. A larger one is not read. */
const maxTableBytes = 256 * 1024;
const containers: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'mvex', 'moof', 'traf']);
/** Their contents are read; all other boxes are skipped. */
const tables: ReadonlySet<string> = new Set(['mdhd', 'trex', 'tfhd', 'tfdt', 'trun']);
/** Flags of `tfhd` (ISO/IEC 14496-12 §8.8.7) and of `trun` (§8.8.8). */
const fragmentFlags = { baseOffset: 0x1, description: 0x2, duration: 0x8 } as const;
const runFlags = {
  dataOffset: 0x1,
  firstFlags: 0x4,
  duration: 0x100,
  size: 0x200,
  flags: 0x400,
  offset: 0x800,
};

/** What the boxes of a fragmented file say about its time, in order. */
class FragmentTimes {
  #unitsPerSecond = 0;
  #defaultUnits = 0;
  #fragmentUnits = 0;
  #endUnits = 0;

  get endMs(): number | null {
    if (this.#unitsPerSecond === 0 || this.#endUnits === 0) return null;
    const ms = Math.floor((this.#endUnits * 1000) / this.#unitsPerSecond);
    return ms <= maxSoundMs ? ms : null;
  }

  add(type: string, view: DataView): void {
    if (view.byteLength < 8) return;
    const [version, flags] = [view.getUint8(0), view.getUint32(0) & 0xffffff];
    if (type === 'mdhd') this.#unitsPerSecond = uint32(view, version === 1 ? 20 : 12);
    else if (type === 'trex') this.#defaultUnits = uint32(view, 12);
    else if (type === 'tfhd') this.#fragmentUnits = this.#durationOf(view, flags);
    else if (type === 'tfdt') this.#endUnits = version === 1 ? uint64(view, 4) : uint32(view, 4);
    else if (type === 'trun') this.#endUnits += this.#lengthOf(view, flags);
  }

  #durationOf(view: DataView, flags: number): number {
    if ((flags & fragmentFlags.duration) === 0) return this.#defaultUnits;
    const before = (flags & fragmentFlags.baseOffset ? 8 : 0) + (flags & fragmentFlags.description ? 4 : 0);
    return uint32(view, 8 + before);
  }

  #lengthOf(view: DataView, flags: number): number {
    const count = uint32(view, 4);
    if ((flags & runFlags.duration) === 0) return count * this.#fragmentUnits;
    const bytesEach = [runFlags.duration, runFlags.size, runFlags.flags, runFlags.offset].filter(
      (flag) => (flags & flag) !== 0,
    ).length;
    let at = 8 + (flags & runFlags.dataOffset ? 4 : 0) + (flags & runFlags.firstFlags ? 4 : 0);
    let units = 0;
    // A count larger than the table is damage.
    for (let left = count; left > 0 && at + 4 <= view.byteLength; left -= 1) {
      units += uint32(view, at);
      at += bytesEach * 4;
    }
    return units;
  }
}

const uint32 = (view: DataView, at: number): number => (at + 4 <= view.byteLength ? view.getUint32(at) : 0);
const uint64 = (view: DataView, at: number): number =>
  at + 8 <= view.byteLength ? Number(view.getBigUint64(at)) : 0;

/**
 * Reads how long a fragmented MP4 file is while it is being written, from its pieces in order. Keeps one table at most.
 */
export class GrowingMp4Time {
  readonly #times = new FragmentTimes();
  readonly #boxes = new ElementWalk((bytes) => this.#read(bytes));

  /** Adds the next piece of the file. */
  push(piece: Uint8Array): void {
    this.#boxes.push(piece);
  }

  /** The end of the last fragment; null before the first one, or if the file is no fragmented MP4. */
  get endMs(): number | null {
    return this.#boxes.isBroken ? null : this.#times.endMs;
  }

  #read(bytes: Uint8Array): ElementStep {
    if (bytes.length < headerBytes) return 'needs-more';
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const [sizeBytes, type] = [view.getUint32(0), String.fromCharCode(...bytes.subarray(4, headerBytes))];
    // A recorder writes no box of more than 4 GB, and none up to the end of the file.
    if (sizeBytes < headerBytes) return 'broken';
    if (containers.has(type)) return headerBytes;
    if (!tables.has(type) || sizeBytes > maxTableBytes) return sizeBytes;
    if (bytes.length < sizeBytes) return 'needs-more';
    const content = new DataView(bytes.buffer, bytes.byteOffset + headerBytes, sizeBytes - headerBytes);
    this.#times.add(type, content);
    return sizeBytes;
  }
}
