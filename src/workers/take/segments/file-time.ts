import { GrowingMp4Time } from '#audio/containers/growing-mp4-time.ts';
import { GrowingWebmTime } from '#audio/containers/webm-length.ts';
import { GrowingOggTime } from '#audio/ogg/growing-ogg-time.ts';
import type { TakeSegment } from '#device/records/take-record.ts';

type Container = TakeSegment['container'];

const readers = { ogg: GrowingOggTime, webm: GrowingWebmTime, mp4: GrowingMp4Time };
/** What a file of each container starts with, and where. */
const signatures: Readonly<Record<Container, { atByte: number; bytes: readonly number[] }>> = {
  ogg: { atByte: 0, bytes: [0x4f, 0x67, 0x67, 0x53] },
  webm: { atByte: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  mp4: { atByte: 4, bytes: [0x66, 0x74, 0x79, 0x70] },
};
/** A longer file without times has sound: no recorder writes such a header. */
const maxHeaderBytes = 8192;

/** What the file that a browser's recorder writes says about its time, read from its pieces in order. */
export class FileTime {
  readonly #container: Container;
  readonly #reader: { push: (piece: Uint8Array) => void; readonly endMs: number | null };
  #sizeBytes = 0;
  #isContainer = false;

  constructor(container: Container) {
    this.#container = container;
    this.#reader = new readers[container]();
  }

  /** Adds the next piece of the file. */
  push(piece: Uint8Array): void {
    if (this.#sizeBytes === 0) this.#isContainer = this.#isSigned(piece);
    this.#sizeBytes += piece.length;
    this.#reader.push(piece);
  }

  /** How long the file is by its own times; null if it says nothing. */
  get endMs(): number | null {
    return this.#reader.endMs;
  }

  /** Whether it has more than a header. A recorder that gets no sound still writes that. */
  get hasSound(): boolean {
    if (this.endMs !== null) return true;
    return this.#sizeBytes > (this.#isContainer ? maxHeaderBytes : 0);
  }

  #isSigned(piece: Uint8Array): boolean {
    const { atByte, bytes } = signatures[this.#container];
    return bytes.every((byte, index) => piece[atByte + index] === byte);
  }
}
