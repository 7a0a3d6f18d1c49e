import { expect, test } from 'vitest';
import type { ConvertedSound } from './encoders.ts';
import { wavHeader, wavSizeOf } from './wav-header.ts';

const sounds: readonly [string, Pick<ConvertedSound, 'channels' | 'depth'>, number][] = [
  ['16 bits', { channels: 1, depth: 's16' }, 44],
  ['24 bits, stereo', { channels: 2, depth: 's24' }, 68],
  ['floating point, 24 channels', { channels: 24, depth: 'f32' }, 68],
];

test.for(sounds)(
  'states the size of the largest WAV file of %s, and none of a larger one',
  ([, given, headerBytes]) => {
    const sound: ConvertedSound = {
      sampleRateHz: 48_000,
      layout: null,
      channelFilter: null,
      firstFilter: null,
      ...given,
    };
    const frameBytes = (sound.channels * Number(sound.depth.slice(1))) / 8;
    const maxFrames = Math.floor((2 ** 32 - 1 - (headerBytes - 8)) / frameBytes);
    const header = wavHeader(maxFrames, sound);
    expect(header.length).toBe(headerBytes);
    expect(header.readUInt32LE(4)).toBe(headerBytes - 8 + maxFrames * frameBytes);
    expect(header.readUInt32LE(headerBytes - 4)).toBe(maxFrames * frameBytes);
    expect(wavSizeOf(maxFrames, sound)).toBe(headerBytes + maxFrames * frameBytes);
    expect(wavSizeOf(maxFrames + 1, sound)).toBeNull();
  },
);
