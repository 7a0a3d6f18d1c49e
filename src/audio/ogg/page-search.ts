import type { ReadBytes } from './joined-facts.ts';
import { maxOggPageBytes, type OggPage, readOggPage } from './ogg-page.ts';

/** Usually contains a whole page; a longer page needs more. */
const defaultReadBytes = 16 * 1024;

/** A page and its offset in the file. */
export interface LocatedPage {
  startsAtByte: number;
  page: OggPage;
}

/** The bytes to search, and the positions at their ends. Pages of other streams are skipped if a serial number is given. */
export interface SearchedRun {
  fromByte: number;
  untilByte: number;
  startsAt: number;
  lastGranulePosition: number;
  serialNumber?: number;
}

/** The offset of the first byte after a page. */
export const pageEndByte = ({ startsAtByte, page }: LocatedPage): number => startsAtByte + page.sizeBytes;

/** The first whole page with a position in some bytes. */
function pageIn(bytes: Uint8Array, firstByte: number, serialNumber: number | undefined): LocatedPage | null {
  for (let at = bytes.indexOf(0x4f); at >= 0; at = bytes.indexOf(0x4f, at + 1)) {
    const page = readOggPage(bytes, at);
    if (page && page.granulePosition >= 0 && (serialNumber ?? page.serialNumber) === page.serialNumber)
      return { startsAtByte: firstByte + at, page };
  }
  return null;
}

/** The first whole page with a position that starts at or after an offset; null if the run has none. */
async function pageFrom(read: ReadBytes, fromByte: number, run: SearchedRun): Promise<LocatedPage | null> {
  const { untilByte, serialNumber } = run;
  const usually = await read(fromByte, Math.min(untilByte, fromByte + defaultReadBytes));
  const found = pageIn(usually, fromByte, serialNumber);
  if (found !== null) return found;
  for (let startByte = fromByte; startByte < untilByte; startByte += maxOggPageBytes) {
    const bytes = await read(startByte, Math.min(untilByte, startByte + 2 * maxOggPageBytes));
    const later = pageIn(bytes, startByte, serialNumber);
    if (later !== null) return later;
  }
  return null;
}

/** The two pages around a position: the last one that ends at or before it, and the first one that ends after it. */
export interface PagesAround {
  before: LocatedPage | null;
  after: LocatedPage | null;
}

/** The bytes between which the wanted page starts, and the pages found at their ends. */
interface Bounds extends PagesAround {
  lowByte: number;
  highByte: number;
}

/** Where to read next: alternately the place that a constant bitrate predicts, and the middle. */
function probeByte(
  run: SearchedRun,
  { before, after, lowByte, highByte }: Bounds,
  options: { position: number; step: number },
): number {
  const sizeBytes = highByte - lowByte;
  const lowest = before?.page.granulePosition ?? run.startsAt;
  const highest = after?.page.granulePosition ?? run.lastGranulePosition;
  if (options.step % 2 === 1 || highest <= lowest) return lowByte + Math.floor(sizeBytes / 2);
  const share = Math.min(1, Math.max(0, (options.position - lowest) / (highest - lowest)));
  const predictedByte = lowByte + Math.floor(share * sizeBytes) - defaultReadBytes / 2;
  return Math.min(highByte - 1, Math.max(lowByte, predictedByte));
}

/** Finds the wanted page among the few that are left, in one read. */
async function searchClosely(
  read: ReadBytes,
  run: SearchedRun,
  { bounds, position }: { bounds: Bounds; position: number },
): Promise<PagesAround> {
  const { lowByte, highByte } = bounds;
  let { before, after } = bounds;
  const bytes = await read(lowByte, Math.min(run.untilByte, highByte + maxOggPageBytes));
  for (let at = 0; at < highByte - lowByte;) {
    const found = pageIn(bytes.subarray(at), lowByte + at, run.serialNumber);
    if (found === null || found.startsAtByte >= highByte) break;
    if (found.page.granulePosition > position) {
      after = found;
      break;
    }
    before = found;
    at = pageEndByte(found) - lowByte;
  }
  return { before, after };
}

/**
 * Finds a position in a file by bisection, so that the number of reads grows at most with the logarithm of the
 * length.
 */
export async function pagesAround(read: ReadBytes, run: SearchedRun, position: number): Promise<PagesAround> {
  const bounds: Bounds = { before: null, after: null, lowByte: run.fromByte, highByte: run.untilByte };
  for (let step = 0; bounds.highByte - bounds.lowByte > defaultReadBytes; step += 1) {
    const probedByte = probeByte(run, bounds, { position, step });
    const found = await pageFrom(read, probedByte, run);
    if (found === null || found.page.granulePosition > position) {
      if (found !== null) bounds.after = found;
      bounds.highByte = probedByte;
    } else {
      bounds.before = found;
      bounds.lowByte = pageEndByte(found);
    }
  }
  return searchClosely(read, run, { bounds, position });
}
