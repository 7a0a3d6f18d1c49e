import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { minute, second } from '#base/duration.ts';
import { probeFile, FileRejection } from '#workers/import/probe/probe-file.ts';
import { hasFfmpeg } from '#tests/formats/make-samples.ts';
import { damaged, damages, damagesEach, seed } from './damage.ts';
import { wholeFiles } from './damaged-files.ts';

const maxMs = 10 * second;

describe.skipIf(!hasFfmpeg())(`probing a damaged file in the browser (seed ${seed}; needs ffmpeg)`, () => {
  test.for(wholeFiles())(
    '$name is accepted, or rejected with a reason, within ten seconds',
    { timeout: 5 * minute },
    async ({ name, bytes }) => {
      // The media reader logs warnings about damage.
      vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      await fc.assert(
        fc.asyncProperty(damages, async (all) => {
          const beganMs = performance.now();
          const answer = await probeFile(new File([damaged(bytes, all)], name)).catch(
            (error: unknown) => error,
          );
          expect(
            answer instanceof Error && !(answer instanceof FileRejection) ? answer : null,
            'an error that is not a rejection',
          ).toBeNull();
          expect(performance.now() - beganMs).toBeLessThan(maxMs + second);
        }),
        { numRuns: damagesEach(30), seed },
      );
    },
  );
});
