import type { OpusHead } from '#audio/ogg/opus-headers.ts';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';

/** The head of a stream in one channel, as a browser encodes it. */
const mono: OpusHead = { channels: 1, preSkip: 312, inputSampleRateHz: 48_000 };

export interface OggOptions {
  head?: OpusHead;
  serialNumber?: number;
  vendor?: string;
  /** Samples of sound at 48 kHz; all that the packets hold, unless given. */
  samples?: number;
}

/** Opus packets as a whole Ogg file, with the pages that the recorder writes (RFC 7845). */
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
