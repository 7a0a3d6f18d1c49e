import { AsyncLocalStorage } from 'node:async_hooks';
import type { KyselyPlugin } from 'kysely';
import { expect, it } from 'vitest';
import { apiUnderTest, recordTake } from '#tests/support/api-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { importFile } from '#tests/support/import-file.ts';
import { hasFfmpeg, sampleFile } from '#tests/support/sample-files.ts';
import { listener, share, tokenOf } from '#tests/support/sharing.ts';

/** A server that counts the statements of a request outside of transactions, and not those of its periodic checks. */
async function counting() {
  const counts = new AsyncLocalStorage<{ statements: number }>();
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      const count = counts.getStore();
      if (count !== undefined) count.statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const database = await freshDatabase();
  const queries = database.queries.withPlugin(counter);
  const api = await apiUnderTest(Object.create(database, { queries: { value: queries } }) as typeof database);
  const countOf = async (request: () => PromiseLike<{ statusCode: number }>) => {
    const count = { statements: 0 };
    const { statusCode } = await counts.run(count, async () => request());
    return [statusCode, count.statements];
  };
  return { api, user: await api.signIn(), countOf };
}

it('a request for sound reads each row once', async () => {
  const { api, user, countOf } = await counting();
  const { recordingId } = await recordTake(api, user, 5);
  const shared = await share({ api, user }, recordingId);
  // The recording, its tags and its uploads.
  expect(await countOf(() => api.as(user, { url: `/api/recordings/${recordingId}/audio` }))).toEqual([
    200, 3,
  ]);
  // The link, ended links, the visit and the rules, then the link again, because it may have changed meanwhile. Then
  // the recording, its tags, its uploads and its passages.
  expect(await countOf(() => listener(api).send('GET', `/s/${tokenOf(shared)}/audio`))).toEqual([200, 5 + 4]);
});

it.skipIf(!hasFfmpeg)('a request for the sound of an import reads its rendition once', async () => {
  const { api, user, countOf } = await counting();
  const bytes = sampleFile('a.mp3', ['-c:a', 'libmp3lame']);
  const { take } = await importFile(api, user, { name: 'a.mp3', bytes });
  const shared = await share({ api, user }, take.recordingId);
  await api.runJobs();
  expect(await countOf(() => listener(api).send('GET', `/s/${tokenOf(shared)}/audio`))).toEqual([
    200,
    5 + 4 + 1,
  ]);
});
