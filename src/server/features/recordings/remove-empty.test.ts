import { expect, test } from 'vitest';
import { day } from '#base/duration.ts';
import { append, apiUnderTest, startTake, newTake, type Take } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { startImport } from '#tests/support/import-file.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { removeEmptyJob } from './remove-empty.ts';

eachDatabase((_name, open) => {
  async function start() {
    const api = await apiUnderTest(await open());
    // The files of an upload have the machine's time.
    api.clock.advance(Date.now() - api.clock.nowMs());
    const user = await api.signIn();
    const afterDays = async (days: number): Promise<void> => {
      api.clock.advance(days * day);
      for (const kind of ['abandon-silent-recordings', removeEmptyJob])
        await createJobQueue(api).enqueue(api.database.queries, { kind, payload: null });
      await api.runJobs();
    };
    const statusOf = async ({ recordingId }: Take) =>
      (await api.as(user, { url: `/api/recordings/${recordingId}` })).statusCode;
    return { api, user, afterDays, statusOf };
  }

  test('a take or import that never received a byte is deleted after 30 days without a change', async () => {
    const { api, user, afterDays, statusOf } = await start();
    const take = await startTake(api, user);
    const { take: imported } = await startImport(api, user, { name: 'a.wav', bytes: Buffer.alloc(1000) });
    await afterDays(2);
    await afterDays(29);
    expect([await statusOf(take), await statusOf(imported)]).toEqual([200, 200]);
    await afterDays(2);
    expect([await statusOf(take), await statusOf(imported)]).toEqual([404, 404]);
    expect(api.events.filter(({ type }) => type === 'recording-removed')).toHaveLength(2);
    expect((await api.as(user, { url: '/api/storage' })).json()).toMatchObject({ usedBytes: 0, count: 0 });
  });

  test('a device registers and sends a take again that was deleted because it was empty', async () => {
    const { api, user, afterDays, statusOf } = await start();
    const take = await startTake(api, user);
    await afterDays(2);
    await afterDays(31);
    expect([
      await statusOf(take),
      (await append(api, take, { uploadId: take.audioId, offset: 0, bytes: Buffer.from('late') })).statusCode,
    ]).toEqual([404, 401]);
    const again = await api.as(user, {
      method: 'PUT',
      url: `/api/recordings/${take.recordingId}`,
      payload: newTake,
    });
    const {
      upload: { token },
    } = again.json<{ upload: { token: string } }>();
    const bearer = { authorization: `Bearer ${token}` };
    await api.app.inject({
      method: 'PUT',
      url: `/api/uploads/${take.audioId}`,
      headers: bearer,
      payload: { recordingId: take.recordingId, stream: 'audio', segmentIndex: 0, startMs: 0, epoch: 1 },
    });
    expect(
      (
        await append(
          api,
          { ...take, token, bearer },
          { uploadId: take.audioId, offset: 0, bytes: Buffer.from('late') },
        )
      ).statusCode,
    ).toBe(204);
  });

  test('a take with a byte is never deleted, nor an empty one with markers, changes or a valid capability', async () => {
    const { api, user, afterDays, statusOf } = await start();
    const [sent, marked, changed, open] = await Promise.all(
      Array.from({ length: 4 }, () => startTake(api, user)),
    );
    if (!sent || !marked || !changed || !open) throw new Error('a take was not started');
    await append(api, sent, { uploadId: sent.audioId, offset: 0, bytes: Buffer.from('x') });
    await api.as(user, {
      method: 'POST',
      url: `/api/recordings/${marked.recordingId}/markers`,
      payload: { id: newId(), atMs: 0 },
    });
    await afterDays(2);
    await afterDays(29);
    await api.as(user, {
      method: 'PATCH',
      url: `/api/recordings/${changed.recordingId}`,
      payload: { title: 'Mine' },
    });
    await api.as(user, { method: 'PUT', url: `/api/recordings/${open.recordingId}`, payload: newTake });
    await afterDays(5);
    expect(await Promise.all([sent, marked, changed, open].map(statusOf))).toEqual([200, 200, 200, 200]);
    await afterDays(400);
    expect(await Promise.all([sent, marked, changed, open].map(statusOf))).toEqual([200, 200, 404, 404]);
  });
});
