import { describe, expect, test } from 'vitest';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { findFfmpeg } from '#server/processes/ffmpeg/start-ffmpeg.ts';
import { ffmpegFile, pipedFile } from '#tests/support/media/ffmpeg-files.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { matchesWaveform } from './matches-waveform.ts';

const rateHz = 48_000;
const lengthS = 5;
const source = [
  '-f',
  'lavfi',
  '-i',
  `aevalsrc='if(between(mod(t,1),0.2,0.7),0.5*sin(2*PI*440*t),0)':s=${rateHz}:d=${lengthS}`,
];

function waveform() {
  const pcm = pipedFile([...source, '-f', 'f32le']);
  const accumulator = new PeaksAccumulator(rateHz);
  accumulator.push([new Float32Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length))]);
  accumulator.flush();
  const points = accumulator.take();
  return {
    points: points.length / 2,
    read: async (from: number, to: number) => points.slice(from * 2, to * 2),
  };
}

/** Whether an Ogg file of an encoder that does this to the sound is accepted. */
async function isAccepted(damage: string): Promise<boolean> {
  const blobs = new MemoryBlobStore();
  const blobKey = 'recordings/a/made';
  await blobs.put(blobKey, ffmpegFile('a.ogg', [...source, '-af', damage, '-c:a', 'libopus']));
  const program = (await findFfmpeg('', process.env['PATH'] ?? '')) ?? '';
  return matchesWaveform(
    { blobs, program },
    { made: { blobKey }, waveform: waveform(), channels: 1, durationMs: lengthS * 1000 },
    AbortSignal.timeout(60_000),
  );
}

describe.skipIf(!hasFfmpeg)('F2: the Ogg file of a link', () => {
  test.for(['anull', 'volume=-10dB', 'adelay=50'])(
    'is accepted of an encoder that does %s',
    async (damage) => {
      expect(await isAccepted(damage)).toBe(true);
    },
  );

  test.for([
    'volume=0',
    'volume=-24dB',
    "volume='if(between(t,3,4),0,1)':eval=frame",
    'adelay=250',
    'atrim=end=3',
    'atrim=start=1,asetpts=PTS-STARTPTS',
  ])('is rejected of an encoder that does %s', async (damage) => {
    expect(await isAccepted(damage)).toBe(false);
  });
});
