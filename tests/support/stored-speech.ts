import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { readWav } from './compare-speech.ts';
import { storeTake } from './long-recording.ts';

const fixtures = join(import.meta.dirname, '..', 'fixtures');

/**
 * Made from `jfk-1961.wav`: ffmpeg -i jfk-1961.wav -ac 1 -ar 48000 -c:a libopus -b:a 48k -page_duration 1000000
 * jfk-1961.opus
 */
const opusFile = join(fixtures, 'jfk-1961.opus');

/**
 * Stores eleven seconds of speech as a device would, without waiting for a microphone. Returns the recording's id.
 */
export async function storeSpeech(url: string, cookie: string): Promise<string> {
  const { sampleRateHz, samples } = readWav(join(fixtures, 'jfk-1961.wav'));
  const peaks = new PeaksAccumulator(sampleRateHz);
  peaks.push([samples]);
  peaks.flush();
  return storeTake(url, cookie, {
    title: 'Inaugural address',
    audio: readFileSync(opusFile),
    peaks: new Uint8Array(peaks.take().buffer),
    durationMs: Math.round((samples.length / sampleRateHz) * 1000),
  });
}
