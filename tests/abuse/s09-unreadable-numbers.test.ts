import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { ApiClient } from '#tests/support/api-client.ts';
import { onPostgres } from '#tests/support/on-postgres.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { oggEndingAt, webmAt } from '#tests/support/strange-sound.ts';
import {
  expectNeighbourUnharmed,
  expectRestartHolds,
  newUser,
  onEveryDatabase,
  sendTake,
  settledRecording,
} from './attack.ts';

const statusOf = async (client: ApiClient, method: string, path: string): Promise<number> => {
  const reply = await client.send({
    method,
    path,
    headers: {
      cookie: client.cookie,
      'sec-fetch-site': 'same-origin',
      'x-requested-with': 'earshot',
      'idempotency-key': crypto.randomUUID(),
    },
  });
  return reply.status;
};

/** The ids in the list, and the requests that show or count recordings and do not return 200. */
async function listsOf(
  client: ApiClient,
  recordingIds: readonly string[],
): Promise<{ ids: string[]; failed: string[] }> {
  const { items } = (await client.json('GET', '/api/recordings')) as { items: { id: string }[] };
  const sorted = ['oldest', 'longest', 'shortest', 'largest', 'recently-changed'].map(
    (sort) => `/api/recordings?sort=${sort}`,
  );
  const failed: string[] = [];
  for (const path of [
    ...sorted,
    '/api/storage',
    '/auth/account/deletion',
    '/api/recordings/facets',
    ...recordingIds.map((id) => `/api/recordings/${id}`),
  ]) {
    const status = await statusOf(client, 'GET', path);
    if (status !== 200) failed.push(`${path}: ${status}`);
  }
  return { ids: items.map(({ id }) => id).toSorted(), failed };
}

const deletePermanently = async (client: ApiClient, recordingId: string): Promise<number[]> => [
  await statusOf(client, 'DELETE', `/api/recordings/${recordingId}`),
  await statusOf(client, 'POST', `/api/recordings/${recordingId}/purge`),
];

/** Writes past the database constraints, as a damaged disk would. */
async function writeDirectly(server: EarshotServer, statement: string): Promise<void> {
  if (server.databaseUrl !== undefined) {
    await onPostgres(server.databaseUrl, async (client) => {
      const { rows } = await client.query<{ conname: string; table: string }>(
        `select conname, conrelid::regclass::text as "table" from pg_constraint where conname like '%_believable_%'`,
      );
      for (const { conname, table } of rows)
        await client.query(`alter table ${table} drop constraint ${conname}`);
      await client.query(statement);
    });
    return;
  }
  const database = new DatabaseSync(join(server.dataDir, 'earshot.db'), { timeout: 5000 });
  database.exec('pragma ignore_check_constraints = on');
  for (const { name } of database
    .prepare(
      `select name from sqlite_schema where type = 'trigger' and name like '%!_believable!_%' escape '!'`,
    )
    .all())
    database.exec(`drop trigger ${String(name)}`);
  database.exec(statement);
  database.close();
}

const unreadable = [
  'duration_ms = 96076792050570576',
  'duration_ms = 4611686018427387904, stored_bytes = 4611686018427387904',
  'duration_ms = -5',
  'started_at = 4611686018427387904',
  'created_at = -9007199254740993',
  'updated_at = 9007199254740993',
  'size_bytes = 9007199254740993',
  'peaks_points = 9007199254740993',
  "people = '[\"torn'",
  "gaps = '{}'",
  "pauses = ''",
  "state = 'archived'",
  "container = 'tape'",
  "source = 'telephone'",
  "language = '?'",
  "time_zone = '?'",
];

onEveryDatabase((launch) => {
  test.for([2n ** 62n, 2n ** 52n, -(2n ** 62n), 2n ** 63n - 1n])(
    'S9: a take whose last page claims to end at %s is listed, counted and deleted like any other',
    async (granule) => {
      const server = await launch();
      const attacker = await newUser(server);
      const recordingId = await sendTake(attacker, { bytes: oggEndingAt(granule), container: 'ogg' });
      expect(await settledRecording(attacker, recordingId)).toMatchObject({
        state: 'ready',
        durationMs: 214,
      });
      expect(await listsOf(attacker, [recordingId])).toEqual({ ids: [recordingId], failed: [] });
      expect(await deletePermanently(attacker, recordingId)).toEqual([200, 204]);
    },
  );

  test('S9: such a take is also listed before it is settled', async () => {
    const server = await launch();
    const attacker = await newUser(server);
    await expectNeighbourUnharmed(server, async () => {
      const ids = [
        await sendTake(attacker, { bytes: oggEndingAt(2n ** 62n), container: 'ogg' }),
        await sendTake(attacker, { bytes: webmAt([0, 2 ** 62]), container: 'webm' }),
      ];
      expect(await listsOf(attacker, ids)).toEqual({ ids: ids.toSorted(), failed: [] });
    });
    await expectRestartHolds(server);
  });

  test('S9: unreadable rows are shown, as damaged where a number is wrong, and break no list', async () => {
    const server = await launch();
    const user = await newUser(server);
    const ids: string[] = [];
    for (const _change of unreadable)
      ids.push(await sendTake(user, { bytes: oggEndingAt(10_000n), container: 'ogg' }));
    for (const id of ids) await settledRecording(user, id);
    for (const [index, change] of unreadable.entries())
      await writeDirectly(server, `update recordings set ${change} where id = '${ids[index]}'`);
    expect(await listsOf(user, ids)).toEqual({ ids: ids.toSorted(), failed: [] });
    const isDamaged = await Promise.all(
      ids.map(async (id) => (await settledRecording(user, id)).damagedAt !== null),
    );
    expect(isDamaged).toEqual(unreadable.map((change) => !/gaps|pauses/.test(change)));
    for (const id of ids) expect(await deletePermanently(user, id)).toEqual([200, 204]);
  });

  test('S9: unreadable markers, notes and history are clamped, a position is dropped, and no list breaks', async () => {
    const server = await launch();
    const user = await newUser(server);
    const id = await sendTake(user, { bytes: oggEndingAt(10_000n), container: 'ogg' });
    await settledRecording(user, id);
    const owner = `(select owner_id from recordings where id = '${id}')`;
    const huge = 4611686018427387904n;
    for (const statement of [
      `insert into markers (id, recording_id, at_ms, label, colour, created_by, created_at) values ('${crypto.randomUUID()}', '${id}', ${huge}, 'late', 'amber', ${owner}, ${huge}), ('${crypto.randomUUID()}', '${id}', -5, 'early', 'amber', ${owner}, -${huge})`,
      `insert into notes (id, recording_id, from_ms, to_ms, text, revision, created_by, created_at, updated_at) values ('${crypto.randomUUID()}', '${id}', ${huge}, ${huge}, 'late', -1, ${owner}, ${huge}, 9007199254740991)`,
      `insert into playback_positions (recording_id, user_id, position_ms, heard_at, player_id) values ('${id}', ${owner}, -${huge}, ${huge}, '${crypto.randomUUID()}')`,
      `insert into recording_changes (recording_id, position, at, kind, device_label, from_ms, duration_ms, count) values ('${id}', 0, ${huge}, 'gaps-added', '', -1, ${huge}, -${huge})`,
    ])
      await writeDirectly(server, statement);
    expect(await user.json('GET', `/api/recordings/${id}/markers`)).toMatchObject({
      items: [
        { atMs: 0, label: 'early' },
        { atMs: 3_600_000_000, label: 'late' },
      ],
    });
    expect(await user.json('GET', `/api/recordings/${id}/notes`)).toMatchObject({
      items: [{ fromMs: 3_600_000_000, toMs: null, revision: 1 }],
    });
    expect(await user.json('GET', `/api/recordings/${id}/position`)).toEqual({ position: null });
    expect(await user.json('GET', `/api/recordings/${id}`)).toMatchObject({
      history: [{ fromMs: 0, durationMs: 3_600_000_000, count: 1 }],
    });
    expect(await listsOf(user, [id])).toEqual({ ids: [id], failed: [] });
  });
});
