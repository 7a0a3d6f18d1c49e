import type { OggSegmentFacts, PageRun, ReadBytes } from '#audio/ogg/joined-facts.ts';
import { minSilenceSamples } from '#audio/ogg/joined-silence.ts';
import { packetsOf, readOggPage, sliceOggPage, writeOggPage } from '#audio/ogg/ogg-page.ts';
import { writeOpusHead, writeOpusTags } from '#audio/ogg/opus-headers.ts';
import type { EdgePage, EndEdge, StartEdge } from './window-edges.ts';

/** A file to cut. `serialNumber`: of the joined stream that its parts are used in. */
export interface CutFile {
  facts: OggSegmentFacts;
  read: ReadBytes;
  serialNumber: number;
}

/**
 * A part of a file as a separate Ogg/Opus file of its own: new headers, at most two rebuilt pages, and the unchanged
 * pages of the file between them.
 */
export interface WindowPart {
  facts: OggSegmentFacts;
  run: PageRun;
  read: ReadBytes;
  /** The unchanged bytes of the file; with the sizes of the rebuilt pages they determine every byte of the part. */
  source: { fromByte: number; untilByte: number; headBytes: number; tailBytes: number };
}

/** The first page has only OpusHead (RFC 7845 §3), of at most 276 bytes. */
const typicalHeadBytes = 512;

/** The size of an OpusHead, whose channel mapping table depends on the mapping family (RFC 7845 §5.1.1). */
const headSizeBytes = (head: Uint8Array): number => (head[18] === 0 ? 19 : 21 + (head[9] ?? 0));

/** The two header pages of a window: the file's OpusHead, and OpusTags without vendor and comments (RFC 7845 §5.2). */
async function headerPages({ facts, read, serialNumber }: CutFile): Promise<Uint8Array> {
  const first = readOggPage(await read(0, Math.min(facts.headersBytes, typicalHeadBytes)));
  const [head = writeOpusHead(facts)] = first ? packetsOf(first) : [];
  const page = { granulePosition: 0, serialNumber, endsStream: false };
  return joined([
    writeOggPage({
      ...page,
      packets: [head.subarray(0, headSizeBytes(head))],
      sequenceNumber: 0,
      startsStream: true,
    }),
    writeOggPage({
      ...page,
      packets: [writeOpusTags({ vendor: '', comments: [] })],
      sequenceNumber: 1,
      startsStream: false,
    }),
  ]);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const noBytes = new Uint8Array();

const edgeBytes = (edge: EdgePage | null): Uint8Array =>
  edge === null ? noBytes : sliceOggPage(edge.found.page, edge);

/** The rebuilt page of a part within one page; null if no packet is in it. */
function rebuiltPage(first: EdgePage, last: EdgePage): { head: Uint8Array; tail: Uint8Array } | null {
  if (last.untilSegment <= first.fromSegment || first.granulePosition < 0) return null;
  return { head: edgeBytes({ ...last, fromSegment: first.fromSegment }), tail: noBytes };
}

/** The rebuilt pages of a part; null if no packet is in it. */
function rebuiltPages(start: StartEdge, end: EndEdge): { head: Uint8Array; tail: Uint8Array } | null {
  const [first, last] = [start.page, end.page];
  if (first && last && first.found.startsAtByte === last.found.startsAtByte) return rebuiltPage(first, last);
  const middleBytes = end.untilByte - start.fromByte;
  const hasPackets = middleBytes > 0 || last !== null || (first?.granulePosition ?? -1) >= 0;
  return middleBytes < 0 || !hasPackets ? null : { head: edgeBytes(first), tail: edgeBytes(last) };
}

/** Reads pieces that follow each other, of which one is in a file. */
function readingPieces(
  pieces: readonly {
    sizeBytes: number;
    read: (startByte: number, endByteExclusive: number) => Promise<Uint8Array> | Uint8Array;
  }[],
): ReadBytes {
  return async (startByte, endByteExclusive) => {
    const read: Uint8Array[] = [];
    let pieceStartsAt = 0;
    for (const piece of pieces) {
      const from = Math.max(0, startByte - pieceStartsAt);
      const until = Math.min(piece.sizeBytes, endByteExclusive - pieceStartsAt);
      if (from < until) {
        const bytes = await piece.read(from, until);
        read.push(bytes);
        if (bytes.length < until - from) break;
      }
      pieceStartsAt += piece.sizeBytes;
    }
    const [only = noBytes, another] = read;
    return another === undefined ? only : joined(read);
  };
}

/** CELT, full band, 2.5 ms (RFC 6716 table 2), without a frame: a decoder that has decoded nothing yet plays silence. */
const emptyToc = 28 << 3;
const stereoBit = 0x04;
/** 120 ms (RFC 6716 §3.2.5). */
const maxPacketSamples = 5760;

/**
 * A page of packets without sound, so that a stream starts before its first packet and that packet plays at its time.
 * Silent packets would also be silent, but a decoder would then fade in for 150 instead of 80 ms (measured).
 */
const leadPage = (
  { facts }: CutFile,
  { start, packets }: { start: StartEdge; packets: number },
): Uint8Array =>
  packets === 0
    ? noBytes
    : writeOggPage({
        packets: Array.from({ length: packets }, () =>
          Uint8Array.of(facts.channels === 2 ? emptyToc | stereoBit : emptyToc),
        ),
        granulePosition: start.startsAt,
        serialNumber: facts.serialNumber,
        sequenceNumber: start.firstSequenceNumber - 1,
        startsStream: false,
        endsStream: false,
      });

/**
 * Makes a separate file of the part between two edges. Null if no packet is between them.
 * @param edges.leadSamples how much earlier than its first packet the part starts, rounded up to the shortest packet
 */
export async function windowPart(
  file: CutFile,
  { start, end, leadSamples = 0 }: { start: StartEdge; end: EndEdge; leadSamples?: number },
): Promise<WindowPart | null> {
  const { facts, read, serialNumber } = file;
  const rebuilt = rebuiltPages(start, end);
  if (rebuilt === null) return null;
  const { tail } = rebuilt;
  // A longer lead is that of damaged pages, and becomes silence.
  const leadPackets = leadSamples > maxPacketSamples ? 0 : Math.ceil(leadSamples / minSilenceSamples);
  const lead = leadPage(file, { start, packets: leadPackets });
  const head = joined([lead, rebuilt.head]);
  const headers = await headerPages(file);
  const { fromByte } = start;
  const untilByte = Math.max(fromByte, end.untilByte);
  const [headAt, middleAt] = [headers.length, headers.length + head.length];
  const tailAt = middleAt + untilByte - fromByte;
  const lastPageStartsAtByte =
    tail.length > 0
      ? tailAt
      : untilByte > fromByte
        ? middleAt + end.lastPageStartsAtByte - fromByte
        : headAt + lead.length;
  return {
    facts: { ...facts, serialNumber, headersBytes: headers.length, headerPages: 2 },
    run: {
      fromByte: headAt,
      untilByte: tailAt + tail.length,
      startsAt: start.startsAt - leadPackets * minSilenceSamples,
      firstSequenceNumber: start.firstSequenceNumber - (leadPackets > 0 ? 1 : 0),
      lastPageStartsAtByte,
      lastSequenceNumber: end.lastSequenceNumber,
      lastGranulePosition: end.lastGranulePosition,
      lastPacketEndsAt: end.lastPacketEndsAt,
      endsStream: false,
      only: {
        serialNumber: facts.serialNumber,
        // The page before the first packet ends where that starts.
        afterPosition: leadPackets > 0 || start.startsAt === 0 ? start.startsAt - 1 : start.startsAt,
        untilPosition: end.isOwn ? Infinity : end.lastGranulePosition,
      },
    },
    read: readingPieces([
      { sizeBytes: headers.length, read: (from, until) => headers.subarray(from, until) },
      { sizeBytes: head.length, read: (from, until) => head.subarray(from, until) },
      { sizeBytes: untilByte - fromByte, read: (from, until) => read(fromByte + from, fromByte + until) },
      { sizeBytes: tail.length, read: (from, until) => tail.subarray(from, until) },
    ]),
    source: { fromByte, untilByte, headBytes: head.length, tailBytes: tail.length },
  };
}
