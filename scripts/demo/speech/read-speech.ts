import { readFile } from 'node:fs/promises';
import type { OpusHead } from '#audio/ogg/opus-headers.ts';
import { openRecorderFile } from '#server/features/recordings/remux/packet-reader.ts';
import { PacketPeaks } from '#server/features/recordings/remux/packet-peaks.ts';
import { peaksFormat } from '#contract/limits.ts';

export const packetMs = 20;
const peaksBytesPerPacket = (packetMs / 1000) * peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint;

/** Speech as Opus packets of 20 ms, with the points of its waveform. */
export interface Speech {
  head: OpusHead;
  packets: readonly Uint8Array[];
  peaks: Int8Array;
}

/** A part of a speech, or several parts in a row: packets with their points. */
export interface Excerpt {
  packets: Uint8Array[];
  peaks: Int8Array[];
}

/** Reads an Ogg Opus file with packets of 20 ms. */
export async function readSpeech(url: URL): Promise<Speech> {
  const file = await readFile(url);
  const found = await openRecorderFile({
    sizeBytes: file.length,
    read: async (startByte, endByteExclusive) => file.subarray(startByte, endByteExclusive),
  });
  if (found.kind !== 'opus') throw new Error(`${url.pathname} holds no Opus`);
  const packets: Uint8Array[] = [];
  const drawn = await PacketPeaks.open(found.track.head);
  for await (const { bytes } of found.track.packets()) {
    packets.push(bytes);
    drawn.push(bytes);
  }
  const peaks = new Int8Array(packets.length * peaksBytesPerPacket);
  const points = drawn.finish();
  peaks.set(points.subarray(0, peaks.length));
  return { head: found.track.head, packets, peaks };
}

const packetAt = (atMs: number): number => Math.round(atMs / packetMs);

/** Returns the part of a speech between two times in milliseconds. */
export function excerptOf(
  { packets, peaks }: Speech,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Excerpt {
  const [from, to] = [packetAt(fromMs), Math.min(packets.length, packetAt(toMs))];
  return {
    packets: packets.slice(from, to),
    peaks: [peaks.subarray(from * peaksBytesPerPacket, to * peaksBytesPerPacket)],
  };
}
