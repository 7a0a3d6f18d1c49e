import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { hour } from '#base/duration.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { type BackupLease, takeLease } from './backup-lease.ts';

/** Resolves once another connection to this database waits for a row. */
async function anotherWaits(queries: Queries): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(queries);
    if (rows.length > 0) return;
  }
}

const leaseOf = (database: Database, id: string, { signal }: AbortController): Promise<BackupLease> =>
  takeLease({ database, clock: systemClock, signal }, { id, target: '/there', is_scheduled: 0 });

// SQLite runs one transaction after the other.
eachDatabase((name, _, openPair) => {
  it.runIf(name === 'postgres')('a backup whose lease is renewed at the last moment continues', async () => {
    const { database, reopen } = await openPair();
    const ofOtherServer = await reopen();
    const ending = new AbortController();
    const slow = await leaseOf(database, 'slow', ending);
    await database.queries.updateTable('backups').set({ lease_until: 0 }).execute();
    const { taken } = await database.transaction(async (renewal) => {
      await renewal
        .updateTable('backups')
        .set({ lease_until: systemClock.nowMs() + hour })
        .execute();
      const outcome = leaseOf(ofOtherServer, 'other', ending).then(
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
    await slow.end({ state: 'failed' });
  });
});
