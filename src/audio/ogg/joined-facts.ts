import { longestOggPageBytes, type OggPage, packetsOf, readOggPage } from './ogg-page.ts';
import { durationMsOf, lastPageIn } from './ogg-prefix.ts';
import { type OpusHead, readOpusHead } from './opus-headers.ts';
import { opusPacketSamples } from './opus-packet.ts';

/** Reads a run of bytes of one file; shorter at its end. */
export type ReadBytes = (startByte: number, endByteExclusive: number) => Promise<Uint8Array>;

/** What one Ogg/Opus file says of itself in its first pages and its last: all that joining it to others needs. */
export interface OggSegmentFacts extends OpusHead {
  /** Up to the end of the last whole page. */
  sizeBytes: number;
  serialNumber: number;
  /** Of the pages before the first sound: identification and comment header (RFC 7845 §3). */
  headersBytes: number;
  headerPages: number;
  lastPageStartsAtByte: number;
  lastSequenceNumber: number;
  /** As the last page has it: the end of the sound, where the stream was ended in order (RFC 7845 §4.4). */
  lastGranulePosition: number;
  /** The sum of all packets: where the last page would end if nothing were trimmed. */
  lastPacketEndsAt: number;
  endsStream: boolean;
}

const headersUsuallyBytes = 4096;
/** Two of the longest pages there can be: the last one is whole, and so is the one before it, unless they are that long. */
const tailWindowBytes = 2 * longestOggPageBytes;

function headersIn(bytes: Uint8Array): Pick<OggSegmentFacts, 'headersBytes' | 'headerPages' | 'serialNumber' | keyof OpusHead> | null {
  const first = readOggPage(bytes);
  const [packet] = first ? packetsOf(first) : [];
  const head = packet && readOpusHead(packet);
  if (!first || !head) return null;
  let headersBytes = first.sizeBytes;
  for (let headerPages = 2; ; headerPages += 1) {
    const page = readOggPage(bytes, headersBytes);
    if (!page) return null;
    headersBytes += page.sizeBytes;
    // The comment header may go on over several pages; the page on which it ends holds nothing else.
    if (page.lacing.at(-1) !== 255) return { ...head, serialNumber: first.serialNumber, headersBytes, headerPages };
  }
}

const samplesOn = (page: OggPage): number => packetsOf(page).reduce((sum, packet) => sum + opusPacketSamples(packet), 0);

/**
 * Learns what joining needs from the first pages of a file and its last two; the cost does not grow with the length.
 * @returns null where there is no sound: no bytes, not Ogg/Opus, headers alone
 */
export async function readSegmentFacts(read: ReadBytes, sizeBytes: number): Promise<OggSegmentFacts | null> {
  const start = await read(0, Math.min(sizeBytes, headersUsuallyBytes));
  const headers = headersIn(start) ?? headersIn(await read(0, Math.min(sizeBytes, 3 * longestOggPageBytes)));
  if (!headers) return null;
  const tailStartsAt = Math.max(headers.headersBytes, sizeBytes - tailWindowBytes);
  const tail = await read(tailStartsAt, sizeBytes);
  const last = lastPageIn(tail);
  if (!last || last.page.granulePosition < 0) return null;
  const lastStartsInTail = last.endsAtBytes - last.page.sizeBytes;
  const before = lastPageIn(tail.subarray(0, lastStartsInTail));
  const beginsAt = before ? before.page.granulePosition : 0;
  return {
    ...headers, sizeBytes: tailStartsAt + last.endsAtBytes, lastPageStartsAtByte: tailStartsAt + lastStartsInTail,
    lastSequenceNumber: last.page.sequenceNumber, lastGranulePosition: last.page.granulePosition,
    lastPacketEndsAt: beginsAt < 0 ? last.page.granulePosition : Math.max(last.page.granulePosition, beginsAt + samplesOn(last.page)), endsStream: last.page.endsStream,
  };
}

/** How long the sound of one file lasts, in whole milliseconds (RFC 7845 §4.3). */
export const soundMsOf = (facts: OggSegmentFacts): number => durationMsOf(facts.lastGranulePosition, facts.preSkip);
