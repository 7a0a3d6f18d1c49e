import { expect, test, vi } from 'vitest';
import { maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { formatSchema } from '#contract/formats.ts';
import { strangeAnswers } from '#tests/support/damaged-numbers.ts';
import { damagesOf, smallSoundFiles } from '#tests/support/small-sound-files.ts';
import { measureFile, probeImportedFile } from './probe-file.ts';

// The media parser warns about damaged files.
vi.spyOn(console, 'warn').mockImplementation(() => undefined);

test.for(await smallSoundFiles())(
  'with any number of $name set to 0, 1, the largest or −1, the probe returns plausible numbers in little memory',
  async (file) => {
    expect(
      await strangeAnswers(damagesOf(file), async (bytes) => {
        const readable = {
          sizeBytes: bytes.length,
          read: async (startByte: number, endByteExclusive: number) =>
            bytes.subarray(startByte, endByteExclusive),
        };
        const probed = await probeImportedFile(readable);
        const { durationMs } = await measureFile(readable, { readsPackets: true });
        return (
          (probed.kind !== 'sound' || formatSchema.safeParse(probed.format).success) &&
          (durationMs ?? 0) <= maxSoundMsOf(bytes.length)
        );
      }),
    ).toEqual([]);
  },
);
