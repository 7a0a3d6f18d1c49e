import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import {
  type ApiUnderTest,
  apiUnderTest,
  append,
  complete,
  finish,
  oggOfSilence,
  peaksOf,
  problemOf,
  startTake,
  type Take,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { withoutAnyLimit } from '#tests/support/without-limits.ts';

/** A take whose files are on the server, and that is not finished. */
async function sentTake(api: ApiUnderTest, user: TestUser): Promise<Take> {
  const take = await startTake(api, user);
  for (const [uploadId, bytes] of [
    [take.audioId, oggOfSilence()],
    [take.peaksId, peaksOf()],
  ] as const) {
    await append(api, take, { uploadId, offset: 0, bytes });
    await complete(api, take, { uploadId, bytes });
  }
  return take;
}

eachDatabase((_name, open) => {
  const start = async () => {
    const database = await open();
    const api = await apiUnderTest(database);
    const user = await api.signIn();
    const take = await sentTake(api, user);
    const silence = async () => {
      const answer = await api.as(user, { url: `/api/recordings/${take.recordingId}` });
      return answer.json<RecordingDetails>().microphoneSilenceMs;
    };
    return { database, api, take, silence };
  };

  test('shows the silence that the device measured in the details, beside the gaps', async () => {
    const { api, take, silence } = await start();
    expect(await silence()).toBe(null);
    expect((await finish(api, take, { microphoneSilenceMs: 1200 })).statusCode).toBe(200);
    await api.runJobs();
    expect(await silence()).toBe(1200);
  });

  test('tells no silence from one that nothing measured', async () => {
    const [measured, unmeasured] = [await start(), await start()];
    await finish(measured.api, measured.take, { microphoneSilenceMs: 0 });
    await finish(unmeasured.api, unmeasured.take);
    expect([await measured.silence(), await unmeasured.silence()]).toEqual([0, null]);
  });

  test('rejects what no take can have', async () => {
    const { api, take, silence } = await start();
    for (const microphoneSilenceMs of [-1, 0.5, limits.maxTakeMs + 1]) {
      const answer = await finish(api, take, { microphoneSilenceMs });
      expect([answer.statusCode, problemOf(answer).errors?.[0]?.pointer]).toEqual([
        422,
        '/microphoneSilenceMs',
      ]);
    }
    expect(await silence()).toBe(null);
  });

  test('shows nothing for an impossible number in the database', async () => {
    const { database, api, take, silence } = await start();
    await finish(api, take, { microphoneSilenceMs: 1200 });
    const change = sql`update recordings set microphone_silence_ms = -1`;
    await expect(change.execute(database.queries)).rejects.toThrow(/microphone_silence_ms/u);
    await withoutAnyLimit(database);
    await change.execute(database.queries);
    expect(await silence()).toBe(null);
  });
});
