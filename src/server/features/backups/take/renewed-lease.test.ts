import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { hour } from '#base/duration.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { takeLease } from './backup-lease.ts';

/** Resolves once another connection to this database waits for a row. */
async function anotherWaits(queries: Queries): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(queries);
    if (rows.length > 0) return;
  }
}

// SQLite runs one transaction after the other.
eachDatabase((name, _, openPair) => {
  it.runIf(name === 'postgres')('a backup whose lease is renewed at the last moment goes on', async () => {
    const { database, reopen } = await openPair();
    const ofOtherServer = await reopen();
    await database.queries
      .insertInto('backups')
      .values({
        id: 'slow',
        target: '/there',
        is_scheduled: 0,
        state: 'running',
        owner: 'elsewhere 1',
        started_at: 0,
        lease_until: 0,
        ended_at: null,
        error: null,
        size_bytes: 0,
        copied_bytes: 0,
        damaged_count: 0,
        verified_at: null,
      })
      .execute();
    const ending = new AbortController();
    const { taken } = await database.transaction(async (renewal) => {
      await renewal
        .updateTable('backups')
        .set({ lease_until: systemClock.nowMs() + hour })
        .execute();
      const outcome = takeLease(
        { database: ofOtherServer, clock: systemClock, signal: ending.signal },
        { id: 'other', target: '/elsewhere', is_scheduled: 0 },
      ).then(
        () => 'taken',
        () => 'waited',
      );
      await anotherWaits(renewal);
      return { taken: outcome };
    });
    ending.abort();
    expect(await taken).toBe('waited');
    expect(await database.queries.selectFrom('backups').select(['id', 'state']).execute()).toEqual([
      { id: 'slow', state: 'running' },
    ]);
  });
});
