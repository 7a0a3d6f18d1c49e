import fc from 'fast-check';
import { joinedBytes } from '#audio/ogg/joined-bytes.ts';
import { readSegmentFacts, type OggSegmentFacts } from '#audio/ogg/joined-facts.ts';
import { joinBytes, pagesOf } from '#audio/ogg/joined.suite.ts';
import { type OggPage, sliceOggPage, writeOggPage } from '#audio/ogg/ogg-page.ts';
import { readOpusHead, readOpusTags, writeOpusHead, writeOpusTags } from '#audio/ogg/opus-headers.ts';
import { opusPacketSamples } from '#audio/ogg/opus-packet.ts';
import type { TimeWindow } from '#audio/ogg/cut-segment.ts';
import type { OpenPart } from './inside-windows.ts';
import { layOutWindows, type WindowLayout, type WindowLayoutOptions } from './window-layout.ts';

export const samplesPerMs = 48;
/** The serial number that windows get in these tests. */
const windowSerial = 0xc0ff_ee00;

/** A file whose every packet contains its own number, so that any packet can be recognised. */
export interface MadeSegment {
  startMs: number;
  packets: number;
  channels: 1 | 2;
  preSkip: number;
  trimmedSamples: number;
  frames: 'twenty' | 'sixty';
  /** The number of segments of a page's table; packets continue over pages unless it is a whole number of packets. */
  pages: 'ten-packets' | number;
  endsStream: boolean;
}

/** A packet and its time in samples after the start of the file. */
interface MadePacket {
  bytes: Uint8Array;
  startsAt: number;
  endsAt: number;
}

/** RFC 6716 §3.1: CELT of 20 ms, one frame or three. */
function packetOf(segment: number, index: number, { frames, channels }: MadeSegment): Uint8Array {
  const toc = (31 << 3) | (channels === 2 ? 4 : 0);
  const head = frames === 'sixty' ? [toc | 3, 3] : [toc];
  const fill = Array<number>((index * 37) % 700).fill(segment + 1);
  return Uint8Array.from([...head, 0xa0 + segment, index & 255, index >> 8, ...fill]);
}

const lacingOf = ({ length }: Uint8Array): number[] => [
  ...Array<number>(Math.floor(length / 255)).fill(255),
  length % 255,
];

/** Writes packets with a given number of segments on each page, whatever packets they cut (RFC 3533 §5). */
function pagesAcross(
  packets: readonly MadePacket[],
  segmentsPerPage: number,
  serialNumber: number,
): Uint8Array[] {
  const lacing = packets.flatMap(({ bytes }) => lacingOf(bytes));
  const payload = joinBytes(packets.map(({ bytes }) => bytes));
  const pages: Uint8Array[] = [];
  let [ended, at, continuesPacket] = [0, 0, false];
  for (let from = 0; from < lacing.length; from += segmentsPerPage) {
    const table = Uint8Array.from(lacing.slice(from, from + segmentsPerPage));
    const sizeBytes = table.reduce((sum, value) => sum + value, 0);
    const endedHere = table.filter((value) => value < 255).length;
    ended += endedHere;
    const page: OggPage = {
      sizeBytes: 0,
      granulePosition: -1,
      serialNumber,
      sequenceNumber: 2 + pages.length,
      startsStream: false,
      endsStream: false,
      continuesPacket,
      lacing: table,
      payload: payload.subarray(at, at + sizeBytes),
    };
    const granulePosition = endedHere === 0 ? -1 : (packets[ended - 1]?.endsAt ?? -1);
    pages.push(sliceOggPage(page, { fromSegment: 0, untilSegment: table.length, granulePosition }));
    at += sizeBytes;
    continuesPacket = table.at(-1) === 255;
  }
  return pages;
}

/** Writes ten packets on each page, as the recorder does; the last page is trimmed and ends the stream. */
function pagesOfTen(packets: readonly MadePacket[], made: MadeSegment, serialNumber: number): Uint8Array[] {
  const pages: Uint8Array[] = [];
  for (let from = 0; from < packets.length; from += 10) {
    const on = packets.slice(from, from + 10);
    const isLast = from + 10 >= packets.length;
    const trimmedSamples = isLast && made.endsStream ? made.trimmedSamples : 0;
    pages.push(
      writeOggPage({
        packets: on.map(({ bytes }) => bytes),
        granulePosition: (on.at(-1)?.endsAt ?? 0) - trimmedSamples,
        serialNumber,
        sequenceNumber: 2 + pages.length,
        startsStream: false,
        endsStream: isLast && made.endsStream,
      }),
    );
  }
  return pages;
}

export interface MadeFile {
  made: MadeSegment;
  bytes: Uint8Array;
  packets: MadePacket[];
  /** The offset after every page. */
  pageEnds: number[];
}

/** Makes the file of a segment, with tags that must never leave. */
export function fileOf(made: MadeSegment, segment: number): MadeFile {
  const serialNumber = 1000 + segment;
  let endsAt = 0;
  const packets = Array.from({ length: made.packets }, (_, index): MadePacket => {
    const bytes = packetOf(segment, index, made);
    endsAt += opusPacketSamples(bytes);
    return { bytes, startsAt: endsAt - opusPacketSamples(bytes), endsAt };
  });
  const header = { granulePosition: 0, serialNumber, endsStream: false };
  const head = writeOpusHead({ ...made, inputSampleRateHz: 48_000 });
  const tags = writeOpusTags({ vendor: 'secret vendor', comments: ['TITLE=secret title'] });
  const pages = [
    writeOggPage({ ...header, packets: [head], sequenceNumber: 0, startsStream: true }),
    writeOggPage({ ...header, packets: [tags], sequenceNumber: 1, startsStream: false }),
    ...(made.pages === 'ten-packets'
      ? pagesOfTen(packets, made, serialNumber)
      : pagesAcross(packets, made.pages, serialNumber)),
  ];
  let at = 0;
  return {
    made,
    packets,
    bytes: joinBytes(pages),
    pageEnds: pages.map(({ length }) => (at += length)),
  };
}

/** A packet of a stream, joined over pages, with its position. */
export interface ReadPacket {
  bytes: Uint8Array;
  startsAt: number;
}

/** The packets of some pages, joined over them, and the page on which each ends. */
function packetsOn(pages: readonly OggPage[]): { page: number; bytes: Uint8Array }[] {
  const packets: { page: number; bytes: Uint8Array }[] = [];
  let open: Uint8Array[] = [];
  for (const [page, { lacing, payload }] of pages.entries()) {
    let at = 0;
    for (const size of lacing) {
      open.push(payload.subarray(at, at + size));
      at += size;
      if (size === 255) continue;
      packets.push({ page, bytes: joinBytes(open) });
      open = [];
    }
  }
  return packets;
}

/** The rules of RFC 3533 §6 that a page must follow, by what comes before and after it. */
function pageFlaws(pages: readonly OggPage[], index: number, isComplete: boolean): string[] {
  const page = pages[index];
  const isLast = index === pages.length - 1;
  const rules = {
    serial: page?.serialNumber === windowSerial,
    sequence: page?.sequenceNumber === index,
    start: page?.startsStream === (index === 0),
    end: page?.endsStream === (isLast && isComplete),
    continued: page?.continuesPacket === (pages[index - 1]?.lacing.at(-1) === 255),
    'ends within a packet': !isLast || page?.lacing.at(-1) !== 255,
  };
  return Object.entries(rules)
    .filter(([, isRight]) => !isRight)
    .map(([rule]) => `page ${index} of ${pages.length}: ${rule}`);
}

/** The pages whose position is not the end of their packets; the last one may be trimmed (RFC 7845 §4.4). */
function positionFlaws(
  pages: readonly OggPage[],
  packets: readonly { page: number; endsAt: number }[],
  isComplete: boolean,
): string[] {
  return pages.flatMap(({ granulePosition }, index) => {
    const endsAt = packets.findLast(({ page }) => page === index)?.endsAt ?? -1;
    const maxTrimmed = index === pages.length - 1 && isComplete ? 2879 : 0;
    const trimmed = endsAt - granulePosition;
    return trimmed >= 0 && trimmed <= maxTrimmed ? [] : [`position of page ${index + 2}`];
  });
}

/** All that a player reads of a window: its packets, and violations of the rules of a stream. */
export function readStream(
  bytes: Uint8Array,
  { isComplete }: { isComplete: boolean },
): { preSkip: number; packets: ReadPacket[]; flaws: string[]; endsAt: number } {
  const pages = pagesOf(bytes);
  const flaws = pages.flatMap((_page, index) => pageFlaws(pages, index, isComplete));
  const [head = new Uint8Array(), tags = new Uint8Array()] = pages.map(({ payload }) => payload);
  if (tags.length !== 16 || readOpusTags(tags) === null) flaws.push('tags');
  let samples = 0;
  const read = packetsOn(pages.slice(2)).map((packet) => {
    samples += opusPacketSamples(packet.bytes);
    return { ...packet, startsAt: samples - opusPacketSamples(packet.bytes), endsAt: samples };
  });
  flaws.push(...positionFlaws(pages.slice(2), read, isComplete));
  const endsAt = Math.max(0, ...pages.map(({ granulePosition }) => granulePosition));
  return { preSkip: readOpusHead(head)?.preSkip ?? Number.NaN, packets: read, flaws, endsAt };
}

/** Packets without sound have one or three bytes (RFC 6716 §3.2.1), unlike every made packet. */
export const isSilence = ({ bytes }: ReadPacket): boolean =>
  bytes.length === 1 || (bytes.length === 3 && bytes[1] === 0xff && bytes[2] === 0xfe);

export interface Cut {
  window: WindowLayout;
  bytes: Uint8Array;
  probes: number;
  readBytes: number;
}

/** Windows of a part that starts with the first one and ends with the last one. */
const partOfWindows = (windows: readonly TimeWindow[]): OpenPart => ({
  startMs: windows[0]?.startMs ?? 0,
  endMs: windows.at(-1)?.endMs ?? 0,
  windows,
});

type CutOptions = Partial<WindowLayoutOptions> & { windows?: readonly TimeWindow[] };

const wanted = ({
  windows = [{ startMs: 0, endMs: Infinity }],
  ...options
}: CutOptions): WindowLayoutOptions => ({
  part: partOfWindows(windows),
  serialNumber: windowSerial,
  isEnded: true,
  endMs: 0,
  delayMs: 0,
  ...options,
});

/** Lays out windows of files and reads all of the stream. */
export async function cutOf(
  files: readonly { startMs: number; bytes: Uint8Array; facts?: OggSegmentFacts | null }[],
  options: CutOptions,
): Promise<Cut> {
  let [probes, readBytes] = [0, 0];
  const reader = (bytes: Uint8Array) => async (from: number, to: number) => {
    probes += 1;
    readBytes += Math.max(0, Math.min(to, bytes.length) - from);
    return bytes.subarray(from, to);
  };
  const segments = await Promise.all(
    files.map(async ({ startMs, bytes, facts }) => ({
      startMs,
      facts:
        facts === undefined
          ? await readSegmentFacts(async (from, to) => bytes.subarray(from, to), bytes.length)
          : facts,
      read: reader(bytes),
    })),
  );
  const window = await layOutWindows(segments, wanted(options));
  const opened = { probes, readBytes };
  return { window, bytes: await rangeOfWindow(window, 0, window.layout.sizeBytes), ...opened };
}

export async function rangeOfWindow(
  { layout, read }: WindowLayout,
  startByte: number,
  endByteExclusive: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of joinedBytes(layout, read, { startByte, endByteExclusive }))
    pieces.push(piece.slice());
  return joinBytes(pieces);
}

const segmentArbitrary = fc.record({
  gapMs: fc.integer({ min: 100, max: 3000 }),
  packets: fc.integer({ min: 12, max: 160 }),
  channels: fc.constantFrom<1 | 2>(1, 2),
  preSkip: fc.constantFrom(0, 312, 3840),
  trimmedSamples: fc.integer({ min: 0, max: 900 }),
  frames: fc.constantFrom<'twenty' | 'sixty'>('twenty', 'sixty'),
  endsStream: fc.boolean(),
});

const lengthMsOf = ({ packets, frames }: { packets: number; frames: 'twenty' | 'sixty' }): number =>
  packets * (frames === 'sixty' ? 60 : 20);

/** The length of what is heard: players leave out a pre-skip, and what is trimmed at the end. */
const heardMsOf = ({
  preSkip,
  trimmedSamples,
  endsStream,
  ...segment
}: Omit<MadeSegment, 'startMs' | 'pages'>): number =>
  lengthMsOf(segment) - (preSkip + (endsStream ? trimmedSamples : 0)) / samplesPerMs;

const placed = (list: readonly (Omit<MadeSegment, 'startMs'> & { gapMs: number })[]): MadeSegment[] => {
  let endMs = 0;
  return list.map(({ gapMs, ...segment }, index) => {
    const startMs = index === 0 ? 0 : endMs + gapMs;
    endMs = startMs + lengthMsOf(segment);
    return { startMs, ...segment };
  });
};

/** Takes of several segments with gaps; `pages` as the recorder writes them. */
export const takesArbitrary = (segments: { min: number; max: number }): fc.Arbitrary<MadeSegment[]> =>
  fc
    .array(segmentArbitrary, { minLength: segments.min, maxLength: segments.max })
    .map((list) => placed(list.map((each) => ({ ...each, pages: 'ten-packets' as const }))));

/**
 * Takes that were stopped and continued: each segment starts where the sound before it ended, or a little before, because
 * the device and the server may measure that differently.
 */
export const continuedArbitrary: fc.Arbitrary<MadeSegment[]> = fc
  .array(fc.tuple(segmentArbitrary, fc.constantFrom(0, 0, 7, 60)), { minLength: 2, maxLength: 4 })
  .map((list) => {
    let endMs = 0;
    return list.map(([segment, earlierMs], index) => {
      const made = { ...segment, startMs: Math.max(0, index === 0 ? 0 : endMs - earlierMs) };
      endMs = Math.round(made.startMs + heardMsOf(segment));
      return { ...made, pages: 'ten-packets' as const };
    });
  });

/** Files as other programs write them: packets continue over pages. */
export const importsArbitrary: fc.Arbitrary<MadeSegment[]> = fc
  .tuple(segmentArbitrary, fc.integer({ min: 1, max: 40 }))
  .map(([each, pages]) => placed([{ ...each, endsStream: false, pages }]));

/** A share from 0 to 1. `fc.double` would almost always be close to 0. */
export const shareArbitrary = fc.integer({ min: 0, max: 1_000_000 }).map((share) => share / 1_000_000);

/** The end of the sound of made files, in ms. */
export const soundEndMs = (made: readonly MadeSegment[]): number =>
  Math.max(...made.map((each) => each.startMs + lengthMsOf(each)));
