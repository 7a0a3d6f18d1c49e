import { maxOggPageBytes, type OggPage, readOggPage } from './ogg-page.ts';
import { opusGranuleRateHz } from './opus-packet.ts';

/** The longest run of whole, CRC-valid pages at the start of some bytes. */
export interface OggPrefix {
  validBytes: number;
  pageCount: number;
  /** The last granule position on a page; −1 if there is none. */
  lastGranulePosition: number;
  /** True if the last valid page has the end-of-stream flag. */
  endsStream: boolean;
}

/** Scans bytes that start with a page for their valid prefix. Linear time, without copies. */
export function wholePages(bytes: Uint8Array): OggPrefix {
  const scanner = new OggPrefixScanner();
  scanner.push(bytes);
  return scanner.prefix;
}

/**
 * Finds the last CRC-valid page in the tail of a file, which may start within a page; null if there is none. A
 * window of 2 × `maxOggPageBytes` always contains one if the file has one within a page's length of its end.
 */
export function lastPageIn(tail: Uint8Array): { endsAtBytes: number; page: OggPage } | null {
  for (
    let offsetBytes = tail.lastIndexOf(0x4f);
    offsetBytes >= 0;
    offsetBytes = offsetBytes === 0 ? -1 : tail.lastIndexOf(0x4f, offsetBytes - 1)
  ) {
    const page = readOggPage(tail, offsetBytes);
    if (page) return { endsAtBytes: offsetBytes + page.sizeBytes, page };
  }
  return null;
}

/** The sound up to an Opus granule position in whole milliseconds (RFC 7845 §4.2, §4.3). */
export function durationMsOf(granulePosition: number, preSkip: number): number {
  return Math.round((Math.max(0, granulePosition - preSkip) * 1000) / opusGranuleRateHz);
}

/** `wholePages` for a file read in pieces. Memory use is at most one page and one piece, however long the file is. */
export class OggPrefixScanner {
  readonly #onPage: ((page: OggPage, endsAtBytes: number) => void) | undefined;
  readonly #prefix: OggPrefix = { validBytes: 0, pageCount: 0, lastGranulePosition: -1, endsStream: false };
  #carried: Uint8Array = new Uint8Array(0);
  #broken = false;

  /** @param onPage called for every valid page; the page is a view that is only valid during the call */
  constructor(onPage?: (page: OggPage, endsAtBytes: number) => void) {
    this.#onPage = onPage;
  }

  /** Adds the next piece; returns false once more bytes cannot extend the valid prefix. */
  push(piece: Uint8Array): boolean {
    if (this.#broken) return false;
    const bytes = this.#carried.length === 0 ? piece : joined(this.#carried, piece);
    let offsetBytes = 0;
    for (let page = readOggPage(bytes, 0); page; page = readOggPage(bytes, offsetBytes)) {
      offsetBytes += page.sizeBytes;
      this.#count(page);
    }
    // The rest can only be the start of a page while it is shorter than the longest page.
    this.#broken = bytes.length - offsetBytes >= maxOggPageBytes;
    this.#carried = this.#broken ? new Uint8Array(0) : bytes.slice(offsetBytes);
    return !this.#broken;
  }

  get prefix(): OggPrefix {
    return { ...this.#prefix };
  }

  #count(page: OggPage): void {
    this.#prefix.validBytes += page.sizeBytes;
    this.#prefix.pageCount += 1;
    this.#prefix.endsStream = page.endsStream;
    if (page.granulePosition >= 0) this.#prefix.lastGranulePosition = page.granulePosition;
    this.#onPage?.(page, this.#prefix.validBytes);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
