import type { OpusHead } from '#audio/ogg/opus-headers.ts';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';

/** The head of a mono stream, as a browser encodes it. */
const mono: OpusHead = { channels: 1, preSkip: 312, inputSampleRateHz: 48_000 };

export interface OggOptions {
  head?: OpusHead;
  serialNumber?: number;
  vendor?: string;
  /** Audio samples at 48 kHz; by default all that the packets hold. */
  samples?: number;
}

/** A complete Ogg file of Opus packets, in pages as the recorder writes them (RFC 7845). */
export function oggOfPackets(
  packets: Iterable<Uint8Array>,
  { head = mono, serialNumber = 7, vendor = 'test', samples = Infinity }: OggOptions = {},
): Buffer {
  const writer = new OpusStreamWriter({ ...head, serialNumber, vendor });
  const pages = writer.headers();
  for (const packet of packets) {
    const page = writer.push(packet);
    if (page !== null) pages.push(page);
  }
  return Buffer.concat([...pages, ...writer.finish(samples)].map(({ bytes }) => bytes));
}
