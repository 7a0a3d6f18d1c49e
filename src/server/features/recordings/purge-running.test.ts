import { expect, test } from 'vitest';
import { minute } from '#base/duration.ts';
import { append, apiUnderTest, problemOf, startTake } from '#tests/support/api-under-test.ts';
import { startImport } from '#tests/support/import-file.ts';
import { eachDatabase } from '#tests/support/databases.ts';

eachDatabase((_name, open) => {
  async function recording() {
    const api = await apiUnderTest(await open());
    // The files of an upload have the machine's time.
    api.clock.advance(Date.now() - api.clock.nowMs());
    const user = await api.signIn();
    const take = await startTake(api, user);
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes: Buffer.alloc(1000) });
    const url = `/api/recordings/${take.recordingId}`;
    await api.as(user, { method: 'DELETE', url });
    const purge = () => api.as(user, { method: 'POST', url: `${url}/purge` });
    return { api, user, take, url, purge };
  }

  test('a take that is being recorded is not purged, alone or with others', async () => {
    const { api, user, take, url, purge } = await recording();
    const rejected = await purge();
    expect([rejected.statusCode, problemOf(rejected).code]).toEqual([409, 'still-recording']);
    await api.as(user, {
      method: 'POST',
      url: '/api/recordings/bulk',
      payload: { ids: [take.recordingId], action: { kind: 'purge' } },
    });
    expect((await api.as(user, { url })).json()).toMatchObject({ id: take.recordingId });
  });

  test('an import that is cancelled while it is sent is purged at once', async () => {
    const api = await apiUnderTest(await open());
    api.clock.advance(Date.now() - api.clock.nowMs());
    const user = await api.signIn();
    const { take } = await startImport(api, user, { name: 'a.wav', bytes: Buffer.alloc(9000) });
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes: Buffer.alloc(1000) });
    const url = `/api/recordings/${take.recordingId}`;
    await api.as(user, { method: 'DELETE', url });
    expect((await api.as(user, { method: 'POST', url: `${url}/purge` })).statusCode).toBe(204);
  });

  test('a take whose device has sent nothing for a minute is purged, and its owner reads that it was', async () => {
    const { api, user, url, purge } = await recording();
    api.clock.advance(2 * minute);
    expect((await purge()).statusCode).toBe(204);
    const gone = await api.as(user, { url });
    expect([gone.statusCode, problemOf(gone).code]).toEqual([410, 'purged']);
    const other = await api.as(await api.signIn(), { url });
    expect(other.statusCode).toBe(404);
  });
});
