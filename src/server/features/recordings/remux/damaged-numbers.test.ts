import { expect, test, vi } from 'vitest';
import { minute, second } from '#base/duration.ts';
import { mostSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { webmWithLeap } from '../../../../../tests/support/strange-sound.ts';
import { repack } from './repack.ts';

// The reader of media warns of what it meets in damaged files.
vi.spyOn(console, 'warn').mockImplementation(() => undefined);

/** The file with a number of some bytes at a place: 0, 1, the largest that is positive, or −1. */
function damaged(whole: Buffer, { at, width, value }: { at: number; width: number; value: number }): Buffer {
  const bytes = Buffer.from(whole);
  const end = Math.min(bytes.length, at + width);
  bytes.fill(value === 0xff ? 0xff : 0, at, end);
  if (value === 1) bytes[end - 1] = 1;
  if (value === 0x7f) bytes.fill(0xff, at, end)[at] = 0x7f;
  return bytes;
}

test('whatever number of a WebM file is 0, 1, the largest or −1, its sound is no longer than its bytes can hold', async () => {
  const whole = webmWithLeap({ before: 4, count: 6, leapMs: 3000 });
  const longestMs = mostSoundMs(whole.length) + 10 * second;
  const damages = [...whole.keys()].flatMap((at) => [1, 2, 4, 8].flatMap((width) => [0, 1, 0x7f, 0xff].map((value) => ({ at, width, value }))));
  for (const damage of damages) {
    const bytes = damaged(whole, damage);
    let audioBytes = 0;
    await repack({ sizeBytes: bytes.length, read: async (from, to) => bytes.subarray(from, to) }, { wantsAudio: true, wantsPeaks: false, mostSilenceMs: mostSoundMs(bytes.length) }, {
      audio: async (piece) => { audioBytes += piece.length; }, peaks: async () => undefined,
    });
    // Silence has 300 bytes a second at the most.
    expect(audioBytes).toBeLessThan((longestMs / second) * 400);
  }
}, 2 * minute);
