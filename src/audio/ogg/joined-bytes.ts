import type { PageRun, ReadBytes } from './joined-facts.ts';
import type { JoinedItem, JoinedLayout, PageShift } from './joined-layout.ts';
import { silentBytesBetween } from './joined-silence.ts';
import {
  maxOggPageBytes,
  type OggPage,
  readOggPage,
  resealOggPage,
  rewriteOggPage,
  writeOggPage,
} from './ogg-page.ts';
import { writePreSkip } from './opus-headers.ts';

/** Reads a range of one of the files, by its index in the layout. */
export type ReadSegment = (
  segment: number,
  startByte: number,
  endByteExclusive: number,
) => Promise<Uint8Array>;

type HeadersItem = Extract<JoinedItem, { kind: 'headers' }>;
type PagesItem = Extract<JoinedItem, { kind: 'pages' }>;

const pieceBytes = 256 * 1024;
const lookBackUsuallyBytes = 4096;

/** The offset of the first whole page in some bytes; −1 if there is none. */
function pageWithin(bytes: Uint8Array, fromByte: number): number {
  for (let at = bytes.indexOf(0x4f, fromByte); at >= 0; at = bytes.indexOf(0x4f, at + 1))
    if (readOggPage(bytes, at)) return at;
  return -1;
}

/** The start of the page that contains a byte of a file; the byte itself if no whole page contains it. */
async function pageStartBefore(read: ReadBytes, byte: number, item: PagesItem): Promise<number> {
  for (let lookBackBytes = lookBackUsuallyBytes; ; lookBackBytes *= 4) {
    const startByte = Math.max(item.run.fromByte, byte - lookBackBytes);
    const bytes = await read(startByte, Math.min(item.run.untilByte, byte + maxOggPageBytes));
    const found = pageWithin(bytes, 0);
    if (found >= 0 && startByte + found <= byte) return startByte + found;
    if (startByte === item.run.fromByte || lookBackBytes > maxOggPageBytes) return byte;
  }
}

function shiftPage(
  bytes: Uint8Array,
  page: OggPage,
  { shift, isLast }: { shift: PageShift; isLast: boolean },
): void {
  // A wrong position must not push later pages, nor be after the end.
  const shifted =
    page.granulePosition < 0
      ? page.granulePosition
      : Math.min(page.granulePosition + shift.granulePosition, shift.last.granulePosition);
  rewriteOggPage(bytes, {
    serialNumber: shift.serialNumber,
    sequenceNumber: page.sequenceNumber + shift.sequenceNumber,
    granulePosition: isLast ? shift.last.granulePosition : shifted,
    endsStream: isLast && shift.last.endsStream,
  });
}

/** Whether a page may be read from a run that is limited to some pages of its file. */
const belongsTo = ({ only }: PageRun, { serialNumber, granulePosition }: OggPage): boolean =>
  only === undefined ||
  (serialNumber === only.serialNumber &&
    (granulePosition < 0 || (granulePosition > only.afterPosition && granulePosition <= only.untilPosition)));

/**
 * Shifts every whole page in place. Returns the number of finished bytes: the rest is incomplete. A page damaged
 * on the disk stays unchanged, because its wrong checksum makes every player skip it; it becomes zeros if the run is
 * limited to some pages.
 */
function shiftPages(bytes: Uint8Array, startByte: number, { shift, run }: PagesItem): number {
  const isAllThereIs = startByte + bytes.length >= run.untilByte;
  for (let at = 0; at < bytes.length;) {
    const page = readOggPage(bytes, at);
    if (page) {
      const whole = bytes.subarray(at, at + page.sizeBytes);
      if (belongsTo(run, page))
        shiftPage(whole, page, { shift, isLast: startByte + at === run.lastPageStartsAtByte });
      else whole.fill(0);
      at += page.sizeBytes;
    } else {
      if (!isAllThereIs && bytes.length - at < maxOggPageBytes) return at;
      const next = pageWithin(bytes, at + 1);
      const skippedUntil =
        next >= 0 ? next : isAllThereIs ? bytes.length : Math.max(at + 1, bytes.length - maxOggPageBytes);
      if (run.only !== undefined) bytes.fill(0, at, skippedUntil);
      if (next < 0) return skippedUntil;
      at = next;
    }
  }
  return bytes.length;
}

async function* pagesBetween(
  item: PagesItem,
  read: ReadBytes,
  range: { startByte: number; endByteExclusive: number },
): AsyncGenerator<Uint8Array> {
  let at = range.startByte;
  const plainUntil = Math.min(range.endByteExclusive, item.unchangedUntilByte);
  while (at < plainUntil) {
    const piece = await read(at, Math.min(plainUntil, at + pieceBytes));
    if (piece.length === 0) throw new RangeError(`a segment ends at byte ${at}, before its last page`);
    yield piece;
    at += piece.length;
  }
  if (at >= range.endByteExclusive) return;
  let pageAt = await pageStartBefore(read, at, item);
  while (pageAt < range.endByteExclusive) {
    const wantedUntil = Math.min(
      item.run.untilByte,
      range.endByteExclusive + maxOggPageBytes,
      pageAt + pieceBytes,
    );
    const bytes = (await read(pageAt, wantedUntil)).slice();
    const doneBytes = shiftPages(bytes, pageAt, item);
    if (doneBytes === 0)
      throw new RangeError(`a segment ends at byte ${pageAt + bytes.length}, before its last page`);
    yield bytes.subarray(Math.max(0, at - pageAt), Math.min(doneBytes, range.endByteExclusive - pageAt));
    pageAt += doneBytes;
    at = Math.max(at, pageAt);
  }
}

/** The header pages of a file, with the pre-skip of the joined stream. */
async function headerBytes({ segment, facts, preSkip }: HeadersItem, read: ReadSegment): Promise<Uint8Array> {
  const bytes = await read(segment, 0, facts.headersBytes);
  const head = preSkip === facts.preSkip ? null : readOggPage(bytes);
  if (!head) return bytes;
  const changed = bytes.slice();
  writePreSkip(changed.subarray(head.sizeBytes - head.payload.length), preSkip);
  resealOggPage(changed.subarray(0, head.sizeBytes));
  return changed;
}

/**
 * The bytes of a range of a joined stream, in pieces of at most 256 KiB, so that memory does not grow with the
 * range. Any ranges put together are the whole: a byte does not depend on the requested range.
 */
export async function* joinedBytes(
  layout: JoinedLayout,
  read: ReadSegment,
  range: { startByte: number; endByteExclusive: number },
): AsyncGenerator<Uint8Array> {
  for (const item of layout.items) {
    const startByte = Math.max(0, range.startByte - item.startsAtByte);
    const endByteExclusive = Math.min(item.sizeBytes, range.endByteExclusive - item.startsAtByte);
    if (startByte >= endByteExclusive) continue;
    if (item.kind === 'silence') yield* silentBytesBetween(item.silence, startByte, endByteExclusive);
    else if (item.kind === 'page') yield writeOggPage(item.page).subarray(startByte, endByteExclusive);
    else if (item.kind === 'headers')
      yield (await headerBytes(item, read)).subarray(startByte, endByteExclusive);
    else {
      const {
        segment,
        run: { fromByte },
      } = item;
      yield* pagesBetween(item, (from, to) => read(segment, from, to), {
        startByte: fromByte + startByte,
        endByteExclusive: fromByte + endByteExclusive,
      });
    }
  }
}
