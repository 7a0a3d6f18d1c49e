import { beforeEach, describe, expect, test } from 'vitest';
import { runJob } from '#tests/support/run-job.ts';
import { apiOnSqlite, recordTake } from '#tests/support/api-under-test.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import { createVerification, type Verified } from './create-verification.ts';

describe.skipIf(!hasPostgres)('an object that is missing from the bucket', () => {
  const stores = tieredStores();
  beforeEach(() => stores.clear());

  test('is damage of its recording, and the others are verified too', async () => {
    const objects = new MemoryObjectStore();
    const { store, mover, composer } = await stores.open({ objects });
    const api = await apiOnSqlite(store);
    const user = await api.signIn();
    for (let takes = 0; takes < 3; takes += 1) await recordTake(api, user);
    while ((await mover.moveDue({ atBytes: 1, afterMs: 0, everyMs: 0 })) > 0);
    while (await composer.composeNext());
    const [lost = ''] = [...objects.objects.keys()].filter((name) => name.includes('/audio-0000.'));
    objects.objects.delete(lost);
    const seen: Verified[] = [];
    const verification = createVerification({
      database: api.database,
      blobs: store,
      clock: api.clock,
      bytesPerSecond: 1e12,
      announce: { recordingChanged: () => undefined },
      onVerified: (verified) => {
        seen.push(verified);
      },
    });
    for (const job of verification.jobs) await runJob(job, { enqueuedAtMs: api.clock.nowMs() });
    expect(seen).toHaveLength(6);
    expect(
      seen
        .filter(({ verdict }) => verdict !== 'intact')
        .map(({ stream, verdict }) => [stream.recording_id, verdict]),
    ).toEqual([[lost.split('/')[1], 'gone']]);
    expect(await verification.damagedCount()).toBe(1);
  });
});
