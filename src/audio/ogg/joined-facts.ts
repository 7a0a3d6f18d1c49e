import { maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { maxOggPageBytes, type OggPage, packetsOf, readOggPage } from './ogg-page.ts';
import { durationMsOf, lastPageIn } from './ogg-prefix.ts';
import { type OpusHead, readOpusHead } from './opus-headers.ts';
import { opusGranuleRateHz, opusPacketSamples } from './opus-packet.ts';

/** Reads a range of one file; shorter at its end. */
export type ReadBytes = (startByte: number, endByteExclusive: number) => Promise<Uint8Array>;

/** Facts from the first pages and the last page of an Ogg/Opus file: all that joining needs. */
export interface OggSegmentFacts extends OpusHead {
  /** Up to the end of the last whole page. */
  sizeBytes: number;
  serialNumber: number;
  /** Size of the pages before the first sound: identification and comment header (RFC 7845 §3). */
  headersBytes: number;
  headerPages: number;
  lastPageStartsAtByte: number;
  lastSequenceNumber: number;
  /**
   * The position on the last page: the end of the sound, if the stream was ended normally (RFC 7845 §4.4). Never
   * after the end of the packets.
   */
  lastGranulePosition: number;
  /** The sum of all packets: the end of the last page if nothing were trimmed. */
  lastPacketEndsAt: number;
  endsStream: boolean;
}

/** The last packets of a page. `endsAt`: granule position. */
export interface PageHead {
  packets: readonly Uint8Array[];
  endsAt: number;
}

/** A run of whole pages of one file, and its position on the file's own timeline. */
export interface PageRun {
  fromByte: number;
  untilByte: number;
  /** Granule position of the start of the run. */
  startsAt: number;
  /** The needed packets of the page before the first one, if not all of that page is needed. */
  head?: PageHead;
  firstSequenceNumber: number;
  lastPageStartsAtByte: number;
  lastSequenceNumber: number;
  /** The end of the sound of the run: within its last page if that is trimmed. */
  lastGranulePosition: number;
  /** The end of the last packet of the run. */
  lastPacketEndsAt: number;
  endsStream: boolean;
  /**
   * If given, everything but pages of this stream that end after the first position, and not after the last one, is
   * replaced by zeros, so that nothing else of the file can be read from the joined stream.
   */
  only?: { serialNumber: number; afterPosition: number; untilPosition: number };
}

/** All pages of a file except its header pages. */
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

const typicalHeadersBytes = 4096;
/** Two of the longest possible pages, so that the last two pages are whole unless they are that long. */
const tailWindowBytes = 2 * maxOggPageBytes;

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
    // The comment header may span several pages; the page on which it ends contains nothing else.
    if (page.lacing.at(-1) !== 255)
      return { ...head, serialNumber: first.serialNumber, headersBytes, headerPages };
  }
}

/** Whether a packet continues on the next page. */
const isContinued = (page: OggPage): boolean => page.lacing.at(-1) === 255;

/** Whether a packet ends on a page. */
const endsPacket = (page: OggPage): boolean => page.lacing.some((size) => size < 255);

/** The samples of the packets that end on a page; the first of them may have started on the page before. */
function samplesOn(page: OggPage, before: OggPage | undefined): number {
  const packets = packetsOf(page);
  const ended = isContinued(page) ? packets.slice(0, -1) : packets;
  const started = before && isContinued(before) ? packetsOf(before).at(-1) : undefined;
  return ended.reduce(
    (sum, packet, index) =>
      sum + opusPacketSamples(index === 0 && page.continuesPacket ? (started ?? packet) : packet),
    0,
  );
}

/** The most samples that some bytes can hold, whatever they claim. */
const maxSamples = (sizeBytes: number): number =>
  Math.floor((maxSoundMsOf(sizeBytes) * opusGranuleRateHz) / 1000);

type Ends = Pick<OggSegmentFacts, 'lastGranulePosition' | 'lastPacketEndsAt'>;

/**
 * The end of a file's sound and of its last packet: the smaller of the positions on its last two pages and the
 * packets between them. `betweenBytes` are between the two pages: damaged pages whose packets cannot be counted.
 * @param startsAt of the last page; −1 if unknown
 */
function endsOf(
  { last, before }: { last: OggPage; before: OggPage | undefined },
  startsAt: number,
  { betweenBytes, soundBytes }: { betweenBytes: number; soundBytes: number },
): Ends {
  const max = maxSamples(soundBytes);
  const claimed = last.granulePosition < 0 ? Infinity : last.granulePosition;
  if (startsAt < 0) {
    const endsAt = Math.min(claimed, max);
    return { lastGranulePosition: endsAt, lastPacketEndsAt: endsAt };
  }
  const packetsEndAt = Math.min(max, startsAt + samplesOn(last, before));
  const latest = Math.min(max, packetsEndAt + maxSamples(betweenBytes));
  const lastGranulePosition = Math.min(claimed, claimed === Infinity ? packetsEndAt : latest);
  return { lastGranulePosition, lastPacketEndsAt: Math.max(packetsEndAt, lastGranulePosition) };
}

/**
 * Reads the facts that joining needs from the first and the last two pages of a file, so that the cost does not
 * grow with the length.
 * @returns null if there is no sound: no bytes, not Ogg/Opus, or headers only
 */
export async function readSegmentFacts(read: ReadBytes, sizeBytes: number): Promise<OggSegmentFacts | null> {
  const start = await read(0, Math.min(sizeBytes, typicalHeadersBytes));
  const headers = headersIn(start) ?? headersIn(await read(0, Math.min(sizeBytes, 3 * maxOggPageBytes)));
  if (!headers) return null;
  const tailStartsAt = Math.max(headers.headersBytes, sizeBytes - tailWindowBytes);
  const tail = await read(tailStartsAt, sizeBytes);
  let last = lastPageIn(tail);
  // On pages at the end of an unfinished file no packet may end.
  while (last && !endsPacket(last.page))
    last = lastPageIn(tail.subarray(0, last.endsAtBytes - last.page.sizeBytes));
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
    ...endsOf({ last: last.page, before: before?.page }, startsAt, bytes),
    endsStream: last.page.endsStream,
  };
}

/** Limits the sound of a file to the packets that were counted in all of it. */
export function withPacketsCounted(facts: OggSegmentFacts, packetSamples: number): OggSegmentFacts {
  return {
    ...facts,
    lastGranulePosition: Math.min(facts.lastGranulePosition, packetSamples),
    lastPacketEndsAt: Math.min(facts.lastPacketEndsAt, packetSamples),
  };
}

/** The length of the sound of one file, in whole milliseconds (RFC 7845 §4.3). */
export const soundMsOf = (facts: OggSegmentFacts): number =>
  durationMsOf(facts.lastGranulePosition, facts.preSkip);
