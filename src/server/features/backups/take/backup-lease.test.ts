import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { minute } from '#base/duration.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { takeLease } from './backup-lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each([
  {
    name: 'another process ended it',
    sql: `update backups set state = 'failed'`,
    reason: 'Another process has ended',
  },
  {
    name: 'the database did not confirm its renewals',
    sql: 'alter table backups rename to unreachable',
    reason: 'The database did not confirm',
  },
])('a backup that loses its lease says that $name', async ({ sql: statement, reason }) => {
  const database = await freshDatabase();
  const lease = await takeLease(
    { database, clock: fakeClock(), signal: new AbortController().signal },
    { id: 'one', target: '/there', is_scheduled: 0 },
  );
  await sql.raw(statement).execute(database.queries);
  await vi.advanceTimersByTimeAsync(minute);
  expect(lease.signal.reason).toMatchObject({
    name: 'BackupError',
    message: expect.stringContaining(reason),
  });
});
