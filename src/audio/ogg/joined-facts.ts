import { mostSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { longestOggPageBytes, type OggPage, packetsOf, readOggPage } from './ogg-page.ts';
import { durationMsOf, lastPageIn } from './ogg-prefix.ts';
import { type OpusHead, readOpusHead } from './opus-headers.ts';
import { opusGranuleRateHz, opusPacketSamples } from './opus-packet.ts';

/** Reads a run of bytes of one file; shorter at its end. */
export type ReadBytes = (startByte: number, endByteExclusive: number) => Promise<Uint8Array>;

/**
 * What one Ogg/Opus file says of itself in its first pages and its last: all that joining it to others needs.
 */
export interface OggSegmentFacts extends OpusHead {
  /** Up to the end of the last whole page. */
  sizeBytes: number;
  serialNumber: number;
  /** Of the pages before the first sound: identification and comment header (RFC 7845 §3). */
  headersBytes: number;
  headerPages: number;
  lastPageStartsAtByte: number;
  lastSequenceNumber: number;
  /**
   * As the last page has it: the end of the sound, where the stream was ended in order (RFC 7845 §4.4). Never
   * behind what the packets say.
   */
  lastGranulePosition: number;
  /** The sum of all packets: where the last page would end if nothing were trimmed. */
  lastPacketEndsAt: number;
  endsStream: boolean;
}

/** The last packets of a page. `endsAt`: granule position. */
export interface PageHead {
  packets: readonly Uint8Array[];
  endsAt: number;
}

/**
 * A run of whole pages of one file, from one byte to another, and where it lies on the file's own timeline.
 */
export interface PageRun {
  fromByte: number;
  untilByte: number;
  /** Granule position at which the run begins. */
  startsAt: number;
  /** What is wanted of the page in front of the first one, where not all of it is. */
  head?: PageHead;
  firstSequenceNumber: number;
  lastPageStartsAtByte: number;
  lastSequenceNumber: number;
  /** Where the sound of the run ends: inside of its last page where that is trimmed. */
  lastGranulePosition: number;
  /** Where the last packet of the run ends. */
  lastPacketEndsAt: number;
  endsStream: boolean;
}

/** All pages of a file but its header pages. */
export const wholeRun = (facts: OggSegmentFacts): PageRun => ({
  fromByte: facts.headersBytes,
  untilByte: facts.sizeBytes,
  startsAt: 0,
  firstSequenceNumber: facts.headerPages,
  lastPageStartsAtByte: facts.lastPageStartsAtByte,
  lastSequenceNumber: facts.lastSequenceNumber,
  lastGranulePosition: facts.lastGranulePosition,
  lastPacketEndsAt: facts.lastPacketEndsAt,
  endsStream: facts.endsStream,
});

const headersUsuallyBytes = 4096;
/**
 * Two of the longest pages there can be: the last one is whole, and so is the one before it, unless they are
 * that long.
 */
const tailWindowBytes = 2 * longestOggPageBytes;

function headersIn(
  bytes: Uint8Array,
): Pick<OggSegmentFacts, 'headersBytes' | 'headerPages' | 'serialNumber' | keyof OpusHead> | null {
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
    if (page.lacing.at(-1) !== 255)
      return { ...head, serialNumber: first.serialNumber, headersBytes, headerPages };
  }
}

const samplesOn = (page: OggPage): number =>
  packetsOf(page).reduce((sum, packet) => sum + opusPacketSamples(packet), 0);

/** How many samples some bytes can hold, whatever they say. */
const mostSamples = (sizeBytes: number): number =>
  Math.floor((mostSoundMs(sizeBytes) * opusGranuleRateHz) / 1000);

type Ends = Pick<OggSegmentFacts, 'lastGranulePosition' | 'lastPacketEndsAt'>;

/**
 * Where the sound of a file ends, and where its last packet does: the smaller of what the positions of its
 * last two pages say and what the packets between them say. `betweenBytes` lie between the two: pages that
 * the disk has damaged, whose packets nobody can count.
 * @param startsAt of the last page; −1 where that is unknown
 */
function endsOf(
  last: OggPage,
  startsAt: number,
  { betweenBytes, soundBytes }: { betweenBytes: number; soundBytes: number },
): Ends {
  const most = mostSamples(soundBytes);
  const claimed = last.granulePosition < 0 ? Infinity : last.granulePosition;
  if (startsAt < 0) {
    const endsAt = Math.min(claimed, most);
    return { lastGranulePosition: endsAt, lastPacketEndsAt: endsAt };
  }
  const packetsEndAt = Math.min(most, startsAt + samplesOn(last));
  const latest = Math.min(most, packetsEndAt + mostSamples(betweenBytes));
  const lastGranulePosition = Math.min(claimed, claimed === Infinity ? packetsEndAt : latest);
  return { lastGranulePosition, lastPacketEndsAt: Math.max(packetsEndAt, lastGranulePosition) };
}

/**
 * Learns what joining needs from the first pages of a file and its last two; the cost does not grow with the
 * length.
 * @returns null where there is no sound: no bytes, not Ogg/Opus, headers alone
 */
export async function readSegmentFacts(read: ReadBytes, sizeBytes: number): Promise<OggSegmentFacts | null> {
  const start = await read(0, Math.min(sizeBytes, headersUsuallyBytes));
  const headers = headersIn(start) ?? headersIn(await read(0, Math.min(sizeBytes, 3 * longestOggPageBytes)));
  if (!headers) return null;
  const tailStartsAt = Math.max(headers.headersBytes, sizeBytes - tailWindowBytes);
  const tail = await read(tailStartsAt, sizeBytes);
  const last = lastPageIn(tail);
  if (!last) return null;
  const lastStartsInTail = last.endsAtBytes - last.page.sizeBytes;
  const before = lastPageIn(tail.subarray(0, lastStartsInTail));
  const startsAt = before?.page.granulePosition ?? (tailStartsAt === headers.headersBytes ? 0 : -1);
  const bytes = {
    betweenBytes: lastStartsInTail - (before?.endsAtBytes ?? 0),
    soundBytes: sizeBytes - headers.headersBytes,
  };
  return {
    ...headers,
    sizeBytes: tailStartsAt + last.endsAtBytes,
    lastPageStartsAtByte: tailStartsAt + lastStartsInTail,
    lastSequenceNumber: last.page.sequenceNumber,
    ...endsOf(last.page, startsAt, bytes),
    endsStream: last.page.endsStream,
  };
}

/** The same file, its sound no longer than the packets that were counted in all of it. */
export function withPacketsCounted(facts: OggSegmentFacts, packetSamples: number): OggSegmentFacts {
  return {
    ...facts,
    lastGranulePosition: Math.min(facts.lastGranulePosition, packetSamples),
    lastPacketEndsAt: Math.min(facts.lastPacketEndsAt, packetSamples),
  };
}

/** How long the sound of one file lasts, in whole milliseconds (RFC 7845 §4.3). */
export const soundMsOf = (facts: OggSegmentFacts): number =>
  durationMsOf(facts.lastGranulePosition, facts.preSkip);
