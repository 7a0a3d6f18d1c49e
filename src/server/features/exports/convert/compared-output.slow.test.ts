import { describe, expect, test } from 'vitest';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { findFfmpeg } from '#server/processes/ffmpeg/start-ffmpeg.ts';
import { pipedFile } from '#tests/support/media/ffmpeg-files.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { comparedOutput } from './compared-output.ts';
import { type ConvertedFormat, encoders } from './encoders.ts';

const rateHz = 48_000;
const lengthS = 5;
/** A voice in the left and another in the right channel, one after the other, and silence between. */
const voices: readonly [string, string] = [
  'if(between(mod(t,1),0.2,0.7)*lt(t,3),0.5*sin(2*PI*440*t),0)',
  'if(between(mod(t,1),0.2,0.7)*gte(t,3),0.5*sin(2*PI*1500*t),0)',
];

const source = ['-f', 'lavfi', '-i', `aevalsrc='${voices.join('|')}':s=${rateHz}:d=${lengthS}`];

/** The waveform of what should be encoded. */
function waveform() {
  const pcm = pipedFile([...source, '-f', 'f32le']);
  const samples = new Float32Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
  const accumulator = new PeaksAccumulator(rateHz);
  const planes = [0, 1].map((channel) => samples.filter((_, index) => index % 2 === channel));
  accumulator.push(planes);
  accumulator.flush();
  const points = accumulator.take();
  return {
    points: points.length / 2,
    read: async (from: number, to: number) => points.slice(from * 2, to * 2),
  };
}

/** What an encoder yields that does this to the sound first. */
async function encode(format: ConvertedFormat, damage: string): Promise<string | null> {
  const output = format === 'wav' ? ['-f', 'wav'] : encoders[format].output('s16');
  const bytes = pipedFile([...source, '-af', damage, ...output]);
  const pieces = (async function* give() {
    for (let at = 0; at < bytes.length; at += 5000) yield bytes.subarray(at, at + 5000);
  })();
  const compared = comparedOutput(
    (await findFfmpeg('', process.env['PATH'] ?? '')) ?? '',
    {
      format,
      cut: { fromMs: 0, toMs: lengthS * 1000 },
      sound: {
        sampleRateHz: rateHz,
        channels: 2,
        layout: null,
        channelFilter: null,
        firstFilter: null,
        depth: 's16',
      },
      waveform: waveform(),
    },
    { pieces, signal: AbortSignal.timeout(60_000) },
  );
  const passed: Buffer[] = [];
  try {
    for await (const piece of compared) passed.push(piece);
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
  expect(Buffer.concat(passed).equals(bytes)).toBe(true);
  return null;
}

describe.skipIf(!hasFfmpeg)('the output of an encoder', () => {
  test.for(['wav', 'flac', 'mp3', 'm4a', 'opus'] as const)(
    'is passed on unchanged as %s, unless sound is lost',
    async (format) => {
      expect(await encode(format, 'anull')).toBeNull();
      expect(await encode(format, "volume='if(between(t,1,2),0,1)':eval=frame")).toContain('at 1000 ms');
      expect(await encode(format, 'adelay=200|200,atrim=end=5')).toContain('at 0 ms');
      expect(await encode(format, 'pan=stereo|c0=c0')).toContain('at 3000 ms');
    },
  );

  test('may be 10 dB quieter, not 24', async () => {
    expect(await encode('opus', 'volume=-10dB')).toBeNull();
    expect(await encode('opus', 'volume=-24dB')).toContain('at 0 ms');
  });
});
