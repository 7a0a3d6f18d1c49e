import { expect, test, vi } from 'vitest';
import { maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { strangeAnswers } from '#tests/support/damaged-numbers.ts';
import { damagesOf, smallSoundFiles } from '#tests/support/small-sound-files.ts';
import { probeFile, FileRejection } from './probe-file.ts';

// The media parser logs warnings about damaged files.
vi.spyOn(console, 'warn').mockImplementation(() => undefined);

test.for(await smallSoundFiles())(
  'accepts or rejects $name with any number set to 0, 1, the maximum or −1, in little memory',
  async (file) => {
    expect((await probeFile(new File([file.bytes], file.name))).facts.format.codec).not.toBe('unknown');
    expect(
      await strangeAnswers(damagesOf(file), async (bytes) => {
        try {
          return (
            ((await probeFile(new File([bytes], file.name))).facts.durationMs ?? 0) <=
            maxSoundMsOf(bytes.length)
          );
        } catch (error) {
          if (error instanceof FileRejection) return true;
          throw error;
        }
      }),
    ).toEqual([]);
  },
);
