import { beforeEach, describe, expect, test } from 'vitest';
import { minute } from '#base/duration.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import {
  apiOnSqlite,
  append,
  complete,
  finish,
  oggOfSilence,
  peaksOf,
  startTake,
} from '#tests/support/api-under-test.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';

describe.skipIf(!hasPostgres)('an outage of the object store', () => {
  const stores = tieredStores();
  beforeEach(() => stores.clear());

  test('does not fail a take that was finished before it, and the take becomes ready afterwards', async () => {
    const objects = new MemoryObjectStore();
    const { store, mover } = await stores.open({ objects });
    const api = await apiOnSqlite(store);
    const user = await api.signIn();
    const take = await startTake(api, user);
    const state = async () =>
      (await api.as(user, { url: `/api/recordings/${take.recordingId}` })).json<RecordingDetails>().state;
    for (const [uploadId, bytes] of [
      [take.audioId, oggOfSilence()],
      [take.peaksId, peaksOf()],
    ] as const) {
      await append(api, take, { uploadId, offset: 0, bytes });
      await mover.moveDue({ atBytes: 1, afterMs: 0, everyMs: 0 });
      await complete(api, take, { uploadId, bytes });
    }
    await finish(api, take);
    objects.isDown = true;
    for (let minutes = 0; minutes < 20; minutes += 1) {
      await api.runJobs();
      api.clock.advance(minute);
    }
    expect(await state()).toBe('finishing');
    objects.isDown = false;
    await api.runJobs();
    expect(await state()).toBe('ready');
  });
});
