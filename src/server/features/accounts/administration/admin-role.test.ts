import { expect, test } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import type { Database } from '#server/storage/database/database.ts';
import { setAdmin } from './admin-role.ts';
import { insertUser } from '#server/features/accounts/users-store.ts';

async function withPeople(database: Database): Promise<Database> {
  for (const [name, role] of [
    ['ann', 'admin'],
    ['bob', 'member'],
  ] as const) {
    await insertUser(
      database.queries,
      {
        displayName: name,
        email: `${name}@example.org`,
        isEmailProven: false,
        locale: null,
        role,
        passwordHash: null,
      },
      1000,
    );
  }
  return database;
}

const rolesIn = async (database: Database) =>
  Object.fromEntries(
    (await database.queries.selectFrom('users').select(['display_name', 'role']).execute()).map(
      ({ display_name: name, role }) => [name, role],
    ),
  );

eachDatabase((name, open) => {
  test(`on ${name}, an account becomes an administrator by its address in any spelling, which is recorded`, async () => {
    const database = await withPeople(await open());
    expect(await setAdmin({ database, clock: systemClock }, ' BOB@Example.org ', true)).toBe('changed');
    expect(await rolesIn(database)).toEqual({ ann: 'admin', bob: 'admin' });
    expect(await setAdmin({ database, clock: systemClock }, 'bob@example.org', true)).toBe('already');
    const events = await database.queries.selectFrom('audit_events').select(['action', 'detail']).execute();
    expect(events).toEqual([{ action: 'account.role-changed', detail: '{"role":"admin"}' }]);
  });

  test(`on ${name}, the last administrator cannot be removed, and an unknown address changes nothing`, async () => {
    const database = await withPeople(await open());
    expect(await setAdmin({ database, clock: systemClock }, 'ann@example.org', false)).toBe('last');
    expect(await setAdmin({ database, clock: systemClock }, 'nobody@example.org', true)).toBe('unknown');
    expect(await rolesIn(database)).toEqual({ ann: 'admin', bob: 'member' });
    await setAdmin({ database, clock: systemClock }, 'bob@example.org', true);
    expect(await setAdmin({ database, clock: systemClock }, 'ann@example.org', false)).toBe('changed');
    expect(await rolesIn(database)).toEqual({ ann: 'member', bob: 'admin' });
  });
});
