import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeRecording, storeSession, storeUpload, storeUser } from '#tests/support/factories.ts';
import { undone, withoutLimits } from '#tests/support/without-limits.ts';
import type { Database } from '#server/storage/database/database.ts';
import { migrate } from '#server/storage/database/migrate.ts';

/** Creates a user with a row in every table that belongs to an account. */
async function storeAccount({ queries }: Database): Promise<string> {
  const { id: userId } = await storeUser(queries);
  const runsOut = { created_at: 0, expires_at: 1 };
  await queries
    .insertInto('credentials')
    .values({ id: newId(), user_id: userId, kind: 'password', data: '{}', created_at: 0, updated_at: 0 })
    .execute();
  await storeSession(queries, { user_id: userId });
  await queries
    .insertInto('identities')
    .values({
      id: newId(),
      user_id: userId,
      provider: 'a',
      issuer: 'a',
      subject: newId(),
      label: null,
      email: null,
      linked_at: 0,
      last_used_at: 0,
    })
    .execute();
  await queries
    .insertInto('oauth_flows')
    .values({
      state_hash: newId(),
      browser_hash: '',
      provider: 'a',
      intent: 'link',
      user_id: userId,
      session_id: null,
      remember: 1,
      is_set_up: 0,
      locale: null,
      return_to: '/',
      ...runsOut,
    })
    .execute();
  await queries.insertInto('provider_notices').values({ notice_hash: newId(), received_at: 0 }).execute();
  await queries
    .insertInto('audit_events')
    .values({
      id: newId(),
      at: 0,
      actor_id: userId,
      action: 'totp.on',
      subject: userId,
      ip_prefix: '',
      detail: '{}',
    })
    .execute();
  await queries
    .insertInto('passkeys')
    .values({
      id: newId(),
      user_id: userId,
      credential_id: newId(),
      public_key: '',
      counter: 3,
      transports: '',
      aaguid: '',
      backed_up: 1,
      name: 'Phone',
      created_at: 0,
      last_used_at: 5,
    })
    .execute();
  await queries
    .insertInto('totp')
    .values({ user_id: userId, sealed_secret: '', last_step: 7, created_at: 0 })
    .execute();
  await queries
    .insertInto('auth_flows')
    .values({
      token_hash: newId(),
      kind: 'totp',
      user_id: userId,
      browser_hash: '',
      email_key_hash: null,
      code_hash: null,
      tries_left: 5,
      sealed_data: '',
      ...runsOut,
    })
    .execute();
  await queries
    .insertInto('link_tokens')
    .values({ token_hash: newId(), kind: 'email-undo', user_id: userId, sealed_data: '', ...runsOut })
    .execute();
  await queries
    .insertInto('login_failures')
    .values({ account_key: newId(), failures: 1, updated_at: 0 })
    .execute();
  await queries.insertInto('departed_users').values({ user_id: userId, left_at: 0 }).execute();
  await queries
    .insertInto('idempotency_keys')
    .values({ principal: userId, key_hash: '', request_hash: '', status: 200, reply: null, expires_at: 0 })
    .execute();
  await queries
    .insertInto('export_tickets')
    .values({ ticket_hash: newId(), owner_id: userId, recording_ids: '[]', expires_at: 0 })
    .execute();
  await queries
    .insertInto('tags')
    .values({
      id: newId(),
      owner_id: userId,
      name: 'Wool',
      name_folded: 'wool',
      colour: 'blue',
      created_at: 0,
    })
    .execute();
  await queries
    .insertInto('saved_views')
    .values({ id: newId(), owner_id: userId, name: 'Wool', query: '', created_at: 0 })
    .execute();
  await queries
    .insertInto('purged_recordings')
    .values({ id: newId(), owner_id: userId, purged_at: 0 })
    .execute();
  const at = { run_at: 0, created_at: 0, updated_at: 0 };
  await queries
    .insertInto('jobs')
    .values({
      id: newId(),
      kind: 'a',
      dedupe_key: null,
      payload: '',
      state: 'queued',
      priority: 0,
      attempts: 0,
      lease_until: null,
      owner: null,
      fence: 0,
      error: null,
      ...at,
    })
    .execute();
  await queries.insertInto('job_turns').values({ user_id: userId, served_at: 0 }).execute();
  const { id: recordingId } = await storeRecording(queries, { owner_id: userId });
  await storeUpload(queries, { recording_id: recordingId });
  await queries
    .insertInto('upload_capabilities')
    .values({
      token_hash: newId(),
      recording_id: recordingId,
      session_id: null,
      device_label: '',
      ...runsOut,
    })
    .execute();
  return userId;
}

const wrongNumbers = [
  ['users', 'disabled_at'],
  ['users', 'created_at'],
  ['credentials', 'updated_at'],
  ['sessions', 'idle_ms'],
  ['sessions', 'absolute_expires_at'],
  ['identities', 'last_used_at'],
  ['oauth_flows', 'expires_at'],
  ['provider_notices', 'received_at'],
  ['audit_events', 'at'],
  ['passkeys', 'counter'],
  ['passkeys', 'last_used_at'],
  ['totp', 'last_step'],
  ['auth_flows', 'tries_left'],
  ['link_tokens', 'expires_at'],
  ['login_failures', 'failures'],
  ['departed_users', 'left_at'],
  ['export_tickets', 'expires_at'],
  ['tags', 'created_at'],
  ['saved_views', 'created_at'],
  ['purged_recordings', 'purged_at'],
  ['jobs', 'run_at'],
  ['jobs', 'fence'],
  ['job_turns', 'served_at'],
  ['uploads', 'epoch'],
  ['upload_capabilities', 'expires_at'],
  ['idempotency_keys', 'status'],
] as const;

const shortLived = [
  'sessions',
  'oauth_flows',
  'auth_flows',
  'link_tokens',
  'upload_capabilities',
  'idempotency_keys',
  'export_tickets',
  'job_turns',
] as const;

eachDatabase((_, open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
    await storeAccount(database);
  });
  const write = (table: string, column: string, value: string) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.raw(value)}`.execute(database.queries);
  const read = async (table: string, column: string) =>
    (
      await sql<{
        value: number | null;
      }>`select ${sql.ref(column)} as value from ${sql.table(table)}`.execute(database.queries)
    ).rows.map(({ value }) => value);

  describe('impossible numbers of accounts, rights and jobs', () => {
    test.each(wrongNumbers)('are rejected in %s.%s', async (table, column) => {
      for (const wrong of ['4611686018427387904', '-4611686018427387904'])
        await expect(write(table, column, wrong)).rejects.toThrow(`${table}_believable_${column}`);
    });

    test.each(wrongNumbers)(
      'from older versions in %s.%s do not prevent the start',
      async (table, column) => {
        await withoutLimits(database);
        await write(table, column, '4611686018427387904');
        expect(await migrate(database, systemClock)).toEqual(undone);
      },
    );

    test('from older versions prove no right: sessions, steps, links and tickets end, everything else stays', async () => {
      await withoutLimits(database);
      for (const [table, column] of wrongNumbers) await write(table, column, '4611686018427387904');
      expect(await migrate(database, systemClock)).toEqual(undone);
      for (const table of shortLived)
        expect(await sql`select 1 from ${sql.table(table)}`.execute(database.queries)).toMatchObject({
          rows: [],
        });
      for (const [table, column] of wrongNumbers.filter(
        ([name]) => !shortLived.some((ended) => ended === name),
      ))
        expect(await read(table, column)).toHaveLength(1);
    });

    test('from older versions lock no user out and leave no job waiting for ever', async () => {
      await withoutLimits(database);
      for (const [table, column] of [
        ['totp', 'last_step'],
        ['passkeys', 'counter'],
        ['passkeys', 'backed_up'],
        ['uploads', 'epoch'],
        ['jobs', 'run_at'],
        ['jobs', 'attempts'],
        ['jobs', 'fence'],
        ['users', 'notices_seen_at'],
      ] as const)
        await write(table, column, '4611686018427387904');
      expect(await migrate(database, systemClock)).toEqual(undone);
      expect([
        await read('totp', 'last_step'),
        await read('passkeys', 'counter'),
        await read('passkeys', 'backed_up'),
        await read('uploads', 'epoch'),
      ]).toEqual([[0], [0], [0], [0]]);
      expect([
        await read('jobs', 'run_at'),
        await read('jobs', 'attempts'),
        await read('jobs', 'fence'),
        await read('users', 'notices_seen_at'),
      ]).toEqual([[0], [0], [0], [null]]);
    });
  });
});
