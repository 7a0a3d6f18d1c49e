import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { ebmlElementAt } from './ebml.ts';
import { ElementWalk, type ElementStep } from './element-walk.ts';
import type { PieceFile } from './mp4-boxes.ts';

/** Element ids (RFC 9559 §5.1). */
const ids = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
};
/** Their children are read; all other elements are skipped. */
const parents: ReadonlySet<number> = new Set([ids.segment, ids.info, ids.cluster, ids.blockGroup]);
const windowBytes = 256 * 1024;
/** Covers the header of an element, and the numbers at its start that are read. */
const readBytes = 32;
const defaultScaleNs = 1_000_000;
/** An unsigned integer of EBML has at most eight bytes (RFC 8794 §7.2). */
const maxIntegerBytes = 8;

/** The value of an unsigned integer; 0 if it has more bytes than the format allows, as after damage. */
const unsigned = (bytes: Uint8Array): number =>
  bytes.length > maxIntegerBytes ? 0 : bytes.reduce((sum, byte) => sum * 256 + byte, 0);

/** The time of a block from that of its cluster, after the number of its track (RFC 9559 §10.1). */
function relativeTime(content: Uint8Array): number {
  const trackBytes = Math.clz32(content[0] ?? 0) - 23;
  const time = unsigned(content.subarray(trackBytes, trackBytes + 2));
  return time < 0x8000 ? time : time - 0x10000;
}

/** What the elements of a file say about its time, in order. */
class BlockTimes {
  #scaleNs = defaultScaleNs;
  #clusterTime = 0;
  #lastTime: number | null = null;
  #blockTime = 0;

  add(id: number, content: Uint8Array): void {
    if (id === ids.timestampScale) this.#scaleNs = unsigned(content);
    else if (id === ids.timestamp) this.#clusterTime = unsigned(content);
    else if (id === ids.simpleBlock || id === ids.block) {
      const time = Math.max(this.#lastTime ?? 0, this.#clusterTime + relativeTime(content));
      this.#blockTime = time - (this.#lastTime ?? time);
      this.#lastTime = time;
    }
  }

  /** The start of the last block. */
  get lastMs(): number | null {
    return this.#lastTime === null ? null : this.#msOf(this.#lastTime);
  }

  /** The end of the last block, if it is as long as the one before it. */
  get endMs(): number | null {
    return this.#lastTime === null ? null : this.#msOf(this.#lastTime + this.#blockTime);
  }

  /** Null if no recording can be that long: the file is damaged. */
  #msOf(time: number): number | null {
    const ms = Math.floor((time * this.#scaleNs) / 1_000_000);
    return ms <= maxSoundMs ? ms : null;
  }
}

/**
 * Reads how long a WebM file is while it is being written, from its pieces in order. Keeps no more of the file than the
 * start of an element.
 */
export class GrowingWebmTime {
  readonly #times = new BlockTimes();
  readonly #elements = new ElementWalk((bytes) => this.#read(bytes));

  /** Adds the next piece of the file. */
  push(piece: Uint8Array): void {
    this.#elements.push(piece);
  }

  /** End of the last block; null before the first one, or if the file is no WebM. */
  get endMs(): number | null {
    return this.#elements.isBroken ? null : this.#times.endMs;
  }

  #read(bytes: Uint8Array): ElementStep {
    const element = ebmlElementAt(bytes, 0);
    if (element === null) return bytes.length >= readBytes ? 'broken' : 'needs-more';
    const { id, contentByte, endByte } = element;
    if (parents.has(id)) return contentByte;
    if (endByte === null) return 'broken';
    if (bytes.length < Math.min(endByte, readBytes)) return 'needs-more';
    this.#times.add(id, bytes.subarray(contentByte, endByte));
    return endByte;
  }
}

/** Reads a file from front to back, a window at a time. */
class MovingWindow {
  readonly #file: PieceFile;
  #startByte = 0;
  #bytes = new Uint8Array(0);

  constructor(file: PieceFile) {
    this.#file = file;
  }

  /** The bytes from an offset on: at least `readBytes`, or up to the end of the file. */
  async from(at: number): Promise<Uint8Array> {
    const { sizeBytes, read } = this.#file;
    const endByte = this.#startByte + this.#bytes.length;
    if (at + readBytes > endByte && endByte < sizeBytes) {
      this.#bytes = new Uint8Array(await read(at, Math.min(sizeBytes, at + windowBytes)));
      this.#startByte = at;
    }
    return this.#bytes.subarray(at - this.#startByte);
  }
}

/**
 * The start of the last complete block of a WebM file in milliseconds, which is the least that the file lasts. Reads a
 * file whose end is missing, as after a kill. Null if there is no block, or if it is no WebM. Memory use does not grow
 * with the length.
 */
export async function lastWebmBlockMs(file: PieceFile): Promise<number | null> {
  const window = new MovingWindow(file);
  const times = new BlockTimes();
  for (let at = 0; at < file.sizeBytes;) {
    const bytes = await window.from(at);
    const element = ebmlElementAt(bytes, 0);
    if (element === null || (at === 0 && element.id !== ids.header)) break;
    const { id, contentByte, endByte } = element;
    const isParent = parents.has(id);
    if (!isParent && (endByte === null || at + endByte > file.sizeBytes)) break;
    if (!isParent) times.add(id, bytes.subarray(contentByte, endByte ?? contentByte));
    at += isParent ? contentByte : (endByte ?? contentByte);
  }
  return times.lastMs;
}
