import type { Page } from '@playwright/test';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import type { Pcm } from '#tests/support/compare-speech.ts';

const packetMs = 20;

/** Encodes speech with the browser's Opus encoder. Returns the packets. */
export async function opusPacketsOf(page: Page, speech: Pcm): Promise<Uint8Array[]> {
  const packets = await page.evaluate(async (samples) => {
    const encoded: number[][] = [];
    const encoder = new AudioEncoder({
      output(chunk) {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        encoded.push(Array.from(bytes));
      },
      error(error) {
        throw error;
      },
    });
    encoder.configure({ codec: 'opus', sampleRate: 48_000, numberOfChannels: 1, bitrate: 48_000 });
    encoder.encode(
      new AudioData({
        format: 'f32',
        sampleRate: 48_000,
        numberOfChannels: 1,
        numberOfFrames: samples.length,
        timestamp: 0,
        data: Float32Array.from(samples),
      }),
    );
    await encoder.flush();
    encoder.close();
    return encoded;
  }, Array.from(speech.samples));
  return packets.map((packet) => Uint8Array.from(packet));
}

/**
 * Creates a long recording that repeats the same speech: Ogg pages and peaks, as the recorder would have written
 * them.
 */
export function longTake(
  packets: Uint8Array[],
  speech: Pcm,
  durationMs: number,
): { audio: Uint8Array; peaks: Uint8Array; durationMs: number } {
  const writer = new OpusStreamWriter({
    channels: 1,
    preSkip: 312,
    inputSampleRateHz: 48_000,
    serialNumber: 1,
    vendor: 'earshot',
  });
  const pages = writer.headers().map((page) => page.bytes);
  const count = Math.floor(durationMs / packetMs);
  for (let index = 0; index < count; index += 1) {
    const packet = packets[index % packets.length];
    const page = packet ? writer.push(packet) : null;
    if (page) pages.push(page.bytes);
  }
  pages.push(...writer.finish(count * packetMs * 48).map((page) => page.bytes));
  const once = pointsOf(speech);
  const peaks = new Uint8Array((durationMs / 1000) * 100 * 2);
  for (let offset = 0; offset < peaks.length; offset += once.length)
    peaks.set(once.subarray(0, Math.min(once.length, peaks.length - offset)), offset);
  return { audio: Buffer.concat(pages), peaks, durationMs: count * packetMs };
}

function pointsOf(speech: Pcm): Uint8Array {
  const accumulator = new PeaksAccumulator(speech.sampleRateHz);
  accumulator.push([speech.samples]);
  const points = accumulator.take();
  return new Uint8Array(points.buffer, points.byteOffset, points.byteLength);
}
