import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { minute, second } from '#base/duration.ts';
import { apiOnSqlite, type ApiUnderTest, type TestUser, type Take } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { hasFfmpeg } from '#tests/formats/make-samples.ts';
import { damaged, damages, damagesEach, seed } from './damage.ts';
import { wholeFiles } from './damaged-files.ts';

/** The server's parsers may take ten seconds; a loaded machine adds to that. */
const maxMs = 30 * second;
const ends = new Map<string, number>();

/** Sends every request with which clients play, draw and download a recording. Returns the statuses. */
async function askAll(api: ApiUnderTest, user: TestUser, { recordingId }: Take): Promise<number[]> {
  const urls = ['', '/audio', '/peaks', '/original', '/download', '/download?format=wav'].map(
    (what) => `/api/recordings/${recordingId}${what}`,
  );
  const statuses: number[] = [];
  for (const url of urls) statuses.push((await api.as(user, { url })).statusCode);
  statuses.push((await api.as(user, { url: urls[1] ?? '', headers: { range: 'bytes=10-99' } })).statusCode);
  return statuses;
}

describe.skipIf(!hasFfmpeg())(`importing a damaged file on the server (seed ${seed}; needs ffmpeg)`, () => {
  test.for(wholeFiles())(
    '$name is stored bit for bit and is ready or failed with a reason, without any server error',
    { timeout: 10 * minute },
    async ({ name, bytes }) => {
      const api = await apiOnSqlite();
      const user = await api.signIn();
      const files = damages.map((all) => damaged(bytes, all)).filter(({ length }) => length > 0);
      await fc.assert(
        fc.asyncProperty(files, async (file) => {
          const beganMs = performance.now();
          const { take, recording, finished } = await importFile(api, user, { name, bytes: file });
          expect(performance.now() - beganMs).toBeLessThan(maxMs);
          expect(finished.statusCode).toBe(200);
          expect([recording.state, recording.failureReason !== null]).toEqual(
            recording.state === 'failed' ? ['failed', true] : ['ready', false],
          );
          expect((await askAll(api, user, take)).filter((status) => status >= 500)).toEqual([]);
          const original = await api.as(user, { url: `/api/recordings/${take.recordingId}/original` });
          expect(original.rawPayload.equals(file)).toBe(true);
          const end =
            recording.state === 'ready'
              ? `ready, rendition ${recording.rendition}`
              : `failed, ${recording.failureReason}`;
          ends.set(end, (ends.get(end) ?? 0) + 1);
        }),
        { numRuns: damagesEach(8), seed, endOnFailure: true },
      );
    },
  );

  // oxlint-disable-next-line no-console -- the counts are what the run is made for
  afterAll(() => {
    console.log(
      [...ends]
        .map(([end, count]) => `${count} × ${end}`)
        .toSorted()
        .join('\n'),
    );
  });
});
