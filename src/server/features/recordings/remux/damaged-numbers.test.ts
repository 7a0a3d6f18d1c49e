import { expect, test, vi } from 'vitest';
import { second } from '#base/duration.ts';
import { maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { numberDamages, withNumber } from '#tests/support/damaged-numbers.ts';
import { webmWithLeap } from '#tests/support/strange-sound.ts';
import { repack } from './repack.ts';

// The media parser warns about damaged files.
vi.spyOn(console, 'warn').mockImplementation(() => undefined);

test('with any number of a WebM file set to 0, 1, the largest or −1, its sound is no longer than its bytes can hold', async () => {
  const whole = webmWithLeap({ before: 4, count: 6, leapMs: 3000 });
  const maxMs = maxSoundMsOf(whole.length) + 10 * second;
  // Matroska only has big-endian numbers.
  for (const damage of numberDamages(0, whole.length, ['big-endian'])) {
    const bytes = withNumber(whole, damage);
    let audioBytes = 0;
    await repack(
      { sizeBytes: bytes.length, read: async (from, to) => bytes.subarray(from, to) },
      {
        wantsAudio: true,
        wantsPeaks: false,
        filled: { minHoleMs: 100, maxSilenceMs: maxSoundMsOf(bytes.length) },
      },
      {
        audio: async (piece) => {
          audioBytes += piece.length;
        },
        peaks: async () => undefined,
      },
    );
    // Silence takes at most 300 bytes per second.
    expect(audioBytes).toBeLessThan((maxMs / second) * 400);
  }
});
