import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { migrate } from '#server/storage/database/migrate.ts';
import { migrations } from '#server/storage/database/migrations/all-migrations.ts';
import { emptyPostgres } from '#tests/support/recorded-server.ts';
import { openPostgresDatabase } from './open-postgres-database.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';

const sleeping = sql`select pg_sleep(0.5)`;

describe.skipIf(!hasPostgres)('a statement of PostgreSQL', () => {
  test('ends after a while, but not in a migration or a snapshot', async () => {
    const database = await openPostgresDatabase({ url: await emptyPostgres(), statementTimeoutMs: 100 });
    onTestFinished(() => database.close());
    await expect(sleeping.execute(database.queries)).rejects.toMatchObject({ code: '57014' });
    await expect(database.transaction((transaction) => sleeping.execute(transaction))).rejects.toMatchObject({
      code: '57014',
    });
    await database.snapshot((queries) => sleeping.execute(queries));
    const slow = {
      name: '9999-slow',
      up: async ({ transaction }: { transaction: Parameters<typeof sleeping.execute>[0] }) => {
        await sleeping.execute(transaction);
      },
    };
    expect(await migrate(database, systemClock, { code: [...migrations, slow] })).toEqual(['9999-slow']);
  });
});
