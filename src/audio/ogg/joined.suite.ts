import fc from 'fast-check';
import { joinedBytes, type ReadSegment } from './joined-bytes.ts';
import type { JoinedLayout } from './joined-layout.ts';
import { packetsOf, readOggPage, type OggPage } from './ogg-page.ts';
import { opusPacketSamples } from './opus-packet.ts';
import { OpusStreamWriter } from './opus-stream-writer.ts';

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

export interface Given {
  startMs: number;
  packets: number;
  channels?: 1 | 2;
  preSkip?: number;
  trimmedSamples?: number;
  isOrderly?: boolean;
}

/** A segment as written by a device: 20 ms packets, each containing its number. */
export function segmentOf(
  { packets, channels = 1, preSkip = 312, trimmedSamples = 100, isOrderly = true }: Given,
  serialNumber: number,
): Uint8Array {
  const writer = new OpusStreamWriter({
    channels,
    preSkip,
    inputSampleRateHz: 48_000,
    serialNumber,
    vendor: 'test',
  });
  const pages = writer.headers();
  for (let index = 0; index < packets; index += 1) {
    const page = writer.push(
      Uint8Array.of(
        channels === 2 ? 0xfc : 0xf8,
        serialNumber & 255,
        index & 255,
        index >> 8,
        ...Array<number>(index % 300).fill(7),
      ),
    );
    if (page) pages.push(page);
  }
  if (isOrderly) pages.push(...writer.finish(Math.max(0, packets * 960 - preSkip - trimmedSamples)));
  return joinBytes(pages.map(({ bytes }) => bytes));
}

export async function rangeOf(
  { layout, read }: { layout: JoinedLayout; read: ReadSegment },
  startByte: number,
  endByteExclusive: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of joinedBytes(layout, read, { startByte, endByteExclusive }))
    pieces.push(piece.slice());
  return joinBytes(pieces);
}

export function pagesOf(bytes: Uint8Array): OggPage[] {
  const pages: OggPage[] = [];
  for (let at = 0; at < bytes.length;) {
    const page = readOggPage(bytes, at);
    if (!page) throw new Error(`no page at ${at}`);
    pages.push(page);
    at += page.sizeBytes;
  }
  return pages;
}

/** Lists violations of the rules of one Ogg/Opus stream (RFC 3533 §6, RFC 7845 §4). */
export function flawsOf(bytes: Uint8Array, isEnded: boolean): string[] {
  const pages = pagesOf(bytes);
  let samples = 0;
  return pages.flatMap((page, index) => {
    const isLast = index === pages.length - 1;
    if (index > 1) samples += packetsOf(page).reduce((sum, packet) => sum + opusPacketSamples(packet), 0);
    const trimmed = samples - page.granulePosition;
    const rules = {
      serial: page.serialNumber === pages[0]?.serialNumber,
      sequence: page.sequenceNumber === index,
      start: page.startsStream === (index === 0),
      end: page.endsStream === (isLast && isEnded),
      position: trimmed === 0 || (isLast && isEnded && trimmed > 0 && trimmed < 960),
    };
    return Object.entries(rules)
      .filter(([, isRetained]) => !isRetained)
      .map(([rule]) => `page ${index}: ${rule}`);
  });
}

/** The start times of the packets of one segment, in samples. */
export function packetStarts(bytes: Uint8Array, serialNumber: number): number[] {
  let samples = 0;
  return pagesOf(bytes)
    .slice(2)
    .flatMap(packetsOf)
    .flatMap((packet) => {
      samples += opusPacketSamples(packet);
      return packet.length > 3 && packet[1] === serialNumber ? [samples - opusPacketSamples(packet)] : [];
    });
}

export const segmentsArbitrary = fc
  .array(
    fc.record({
      gapMs: fc.integer({ min: 0, max: 5000 }),
      packets: fc.integer({ min: 1, max: 60 }),
      channels: fc.constantFrom<1 | 2>(1, 2),
      preSkip: fc.constantFrom(0, 312, 3840),
      trimmedSamples: fc.integer({ min: 0, max: 959 }),
      isOrderly: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => {
    let endMs = 0;
    return list.map(({ gapMs, ...segment }) => {
      const startMs = endMs + gapMs;
      endMs = startMs + Math.ceil(segment.packets * 20);
      return { startMs, ...segment };
    });
  });
