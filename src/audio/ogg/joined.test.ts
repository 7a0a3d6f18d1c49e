import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinedBytes, type ReadSegment } from './joined-bytes.ts';
import { readSegmentFacts, soundMsOf } from './joined-facts.ts';
import { type JoinableSegment, type JoinedLayout, layOut } from './joined-layout.ts';
import { longestOggPageBytes, packetsOf, readOggPage, type OggPage } from './ogg-page.ts';
import { opusPacketSamples } from './opus-packet.ts';
import { OpusStreamWriter } from './opus-stream-writer.ts';

const joinBytes = (pieces: readonly Uint8Array[]): Uint8Array => Uint8Array.from(pieces.flatMap((piece) => [...piece]));

interface Given { startMs: number; packets: number; channels?: 1 | 2; preSkip?: number; trimmedSamples?: number; isOrderly?: boolean }

/** A segment as a device writes it: 20 ms packets, each with its number in it. */
function segmentOf({ packets, channels = 1, preSkip = 312, trimmedSamples = 100, isOrderly = true }: Given, serialNumber: number): Uint8Array {
  const writer = new OpusStreamWriter({ channels, preSkip, inputSampleRateHz: 48_000, serialNumber, vendor: 'test' });
  const pages = writer.headers();
  for (let index = 0; index < packets; index += 1) {
    const page = writer.push(Uint8Array.of(channels === 2 ? 0xfc : 0xf8, serialNumber & 255, index & 255, index >> 8, ...Array<number>(index % 300).fill(7)));
    if (page) pages.push(page);
  }
  if (isOrderly) pages.push(...writer.finish(Math.max(0, packets * 960 - preSkip - trimmedSamples)));
  return joinBytes(pages.map(({ bytes }) => bytes));
}

async function join(given: readonly Given[], options: { isEnded: boolean; endMs?: number } = { isEnded: true }) {
  const files = given.map((segment, index) => segmentOf(segment, 100 + index));
  return joinFiles(files, given, options);
}

async function joinFiles(files: readonly Uint8Array[], given: readonly { startMs: number }[], options: { isEnded: boolean; endMs?: number }) {
  const read: ReadSegment = async (segment, from, to) => (files[segment] ?? new Uint8Array()).subarray(from, to);
  const segments: JoinableSegment[] = await Promise.all(given.map(async ({ startMs }, index) =>
    ({ startMs, facts: await readSegmentFacts((from, to) => read(index, from, to), files[index]?.length ?? 0) })));
  const layout = layOut(segments, options);
  return { layout, files, read, bytes: await rangeOf({ layout, read }, 0, layout.sizeBytes) };
}

async function rangeOf({ layout, read }: { layout: JoinedLayout; read: ReadSegment }, startByte: number, endByteExclusive: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of joinedBytes(layout, read, { startByte, endByteExclusive })) pieces.push(piece.slice());
  return joinBytes(pieces);
}

function pagesOf(bytes: Uint8Array): OggPage[] {
  const pages: OggPage[] = [];
  for (let at = 0; at < bytes.length;) {
    const page = readOggPage(bytes, at);
    if (!page) throw new Error(`no page at ${at}`);
    pages.push(page);
    at += page.sizeBytes;
  }
  return pages;
}

/** Says what breaks the rules of one Ogg/Opus stream (RFC 3533 §6, RFC 7845 §4). */
function flawsOf(bytes: Uint8Array, isEnded: boolean): string[] {
  const pages = pagesOf(bytes);
  let samples = 0;
  return pages.flatMap((page, index) => {
    const isLast = index === pages.length - 1;
    if (index > 1) samples += packetsOf(page).reduce((sum, packet) => sum + opusPacketSamples(packet), 0);
    const trimmed = samples - page.granulePosition;
    const rules = {
      serial: page.serialNumber === pages[0]?.serialNumber, sequence: page.sequenceNumber === index, begin: page.beginsStream === (index === 0),
      end: page.endsStream === (isLast && isEnded), position: trimmed === 0 || (isLast && isEnded && trimmed > 0 && trimmed < 960),
    };
    return Object.entries(rules).filter(([, isKept]) => !isKept).map(([rule]) => `page ${index}: ${rule}`);
  });
}

/** The times, in samples, at which the packets of one segment begin. */
function packetStarts(bytes: Uint8Array, serialNumber: number): number[] {
  let samples = 0;
  return pagesOf(bytes).slice(2).flatMap(packetsOf).flatMap((packet) => {
    samples += opusPacketSamples(packet);
    return packet.length > 3 && packet[1] === serialNumber ? [samples - opusPacketSamples(packet)] : [];
  });
}

const segmentsArbitrary = fc.array(fc.record({
  gapMs: fc.integer({ min: 0, max: 5000 }), packets: fc.integer({ min: 1, max: 60 }), channels: fc.constantFrom<1 | 2>(1, 2),
  preSkip: fc.constantFrom(0, 312, 3840), trimmedSamples: fc.integer({ min: 0, max: 959 }), isOrderly: fc.boolean(),
}), { minLength: 1, maxLength: 6 }).map((list) => {
  let endMs = 0;
  return list.map(({ gapMs, ...segment }) => {
    const startMs = endMs + gapMs;
    endMs = startMs + Math.ceil(segment.packets * 20);
    return { startMs, ...segment };
  });
});

describe('segments joined into one stream', () => {
  test('one finished segment is given as it is', async () => {
    const { bytes, files } = await join([{ startMs: 0, packets: 33 }]);
    expect(bytes).toEqual(files[0]);
  });

  test('every page follows the rules of one Ogg/Opus stream, whatever the segments', async () => {
    await fc.assert(fc.asyncProperty(segmentsArbitrary, fc.boolean(), async (given, isEnded) => {
      const { bytes } = await join(given, { isEnded });
      expect(bytes.length === 0 ? [] : flawsOf(bytes, isEnded)).toEqual([]);
    }), { numRuns: 120 });
  });

  test('any ranges put together are the whole', async () => {
    await fc.assert(fc.asyncProperty(segmentsArbitrary, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }), async (given, cuts) => {
      const { layout, read, bytes } = await join(given);
      const at = [0, ...cuts.map((cut) => Math.floor(cut * layout.sizeBytes)).toSorted((a, b) => a - b), layout.sizeBytes];
      const parts = await Promise.all(at.slice(1).map((to, index) => rangeOf({ layout, read }, at[index] ?? 0, to)));
      expect(joinBytes(parts)).toEqual(bytes);
      expect(bytes.length).toBe(layout.sizeBytes);
    }), { numRuns: 120 });
  });

  test('each segment is heard at its place on the timeline, to within a sample step of silence', async () => {
    const given = [{ startMs: 0, packets: 20 }, { startMs: 1234, packets: 9, preSkip: 3840 }, { startMs: 9001, packets: 50, channels: 2 as const }];
    const { bytes } = await join(given);
    for (const [index, { startMs, preSkip = 312 }] of given.entries()) {
      const heardAt = (packetStarts(bytes, 100 + index)[0] ?? Number.NaN) + preSkip - 312;
      expect(heardAt / 48).toBeLessThanOrEqual(startMs);
      expect(heardAt / 48).toBeGreaterThan(startMs - 2.5);
    }
  });

  test('all packets of every segment are in it, in order, and nothing but silence besides', async () => {
    const { bytes } = await join([{ startMs: 0, packets: 25 }, { startMs: 2000, packets: 31 }]);
    expect([packetStarts(bytes, 100).length, packetStarts(bytes, 101).length]).toEqual([25, 31]);
  });

  test('a segment without sound is silence, also when it is the first', async () => {
    const { layout, bytes } = await joinFiles([new Uint8Array(), segmentOf({ startMs: 0, packets: 50 }, 101), new Uint8Array(90)], [{ startMs: 0 }, { startMs: 3000 }, { startMs: 5000 }], { isEnded: true });
    expect(flawsOf(bytes, true)).toEqual([]);
    expect(Math.abs(layout.durationMs - 4000)).toBeLessThan(10);
  });

  test('a gap at the end is silence up to where it ends', async () => {
    const { layout, bytes } = await join([{ startMs: 0, packets: 50 }], { isEnded: true, endMs: 4500 });
    expect(flawsOf(bytes, true)).toEqual([]);
    expect(Math.abs(layout.durationMs - 4500)).toBeLessThan(3);
  });

  test('what was given out of a take that still runs never changes when more comes', async () => {
    const given = [{ startMs: 0, packets: 33 }, { startMs: 3000, packets: 40 }, { startMs: 9000, packets: 12 }];
    const last = await join(given, { isEnded: false });
    for (const count of [1, 2]) {
      const { bytes } = await join(given.slice(0, count), { isEnded: false });
      expect(bytes).toEqual(last.bytes.subarray(0, bytes.length));
    }
  });

  test('two hundred segments and a gap of eight hours cost what their number costs', async () => {
    const given = Array.from({ length: 200 }, (_, index) => ({ startMs: index * 1500 + (index > 100 ? 8 * 3_600_000 : 0), packets: 51 }));
    const { layout, bytes } = await join(given);
    expect(flawsOf(bytes, true)).toEqual([]);
    expect(Math.abs(layout.durationMs - (8 * 3_600_000 + 199 * 1500 + 1011))).toBeLessThan(3);
  });

  test('a damaged page is passed over: the pages around it stay what they are', async () => {
    const files = [segmentOf({ startMs: 0, packets: 40 }, 100), segmentOf({ startMs: 0, packets: 200 }, 101)];
    const starts = [{ startMs: 0 }, { startMs: 2000 }];
    const whole = await joinFiles(files, starts, { isEnded: true });
    const [first = new Uint8Array(), second = new Uint8Array()] = files;
    const hurt = second.slice();
    const at = Math.floor(second.length / 2);
    hurt[at] = (hurt[at] ?? 0) ^ 0xff;
    const { layout, read, bytes } = await joinFiles([first, hurt], starts, { isEnded: true });
    expect(bytes.length).toBe(whole.bytes.length);
    const differing = bytes.reduce((count, byte, index) => count + (byte === whole.bytes[index] ? 0 : 1), 0);
    expect(differing).toBeGreaterThan(0);
    expect(differing).toBeLessThan(longestOggPageBytes);
    const parts = await Promise.all(Array.from({ length: 40 }, (_, index) => rangeOf({ layout, read }, Math.floor((index * bytes.length) / 40), Math.floor(((index + 1) * bytes.length) / 40))));
    expect(joinBytes(parts)).toEqual(bytes);
  });

  test('the length of a segment is its sound, the trimmed end not counted', async () => {
    const file = segmentOf({ startMs: 0, packets: 50, trimmedSamples: 480 }, 1);
    const facts = await readSegmentFacts(async (from, to) => file.subarray(from, to), file.length);
    expect(facts && soundMsOf(facts)).toBe(Math.round((50 * 960 - 312 - 480) / 48));
  });

  test('bytes that are no Ogg/Opus have no sound', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
      expect(await readSegmentFacts(async (from, to) => bytes.subarray(from, to), bytes.length)).toBeNull();
    }));
  });
});
