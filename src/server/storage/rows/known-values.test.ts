import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { apiUnderTest, recordTake } from '#tests/support/api-under-test.ts';
import { accountsUnderTest, answerOf, signUp } from '#tests/support/accounts-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeMarker } from '#tests/support/factories.ts';
import { importFile } from '#tests/support/import-file.ts';
import { makeWav } from '#tests/support/made-wav.ts';

/** Values that a later version may have written and the values shown instead, with the request that shows them. */
const words: readonly [change: string, path: string, shown: object][] = [
  [
    `update markers set colour = 'ultraviolet'`,
    '/api/recordings/:id/markers',
    { items: [{ colour: 'blue', label: 'Childhood' }] },
  ],
  [`update tags set colour = 'ultraviolet'`, '/api/tags', { items: [{ colour: 'blue', name: 'Wool' }] }],
  [
    `update recordings set state = 'archived'`,
    '/api/recordings/:id',
    { state: 'failed', damagedAt: expect.any(String) },
  ],
  [
    `update recordings set container = 'tape'`,
    '/api/recordings/:id',
    { format: { container: 'other' }, damagedAt: expect.any(String) },
  ],
  [
    `update recordings set source = 'telephone'`,
    '/api/recordings/:id',
    { source: 'microphone', damagedAt: expect.any(String) },
  ],
  [`update recordings set language = '?'`, '/api/recordings/:id', { language: null }],
  [`update recordings set time_zone = '?'`, '/api/recordings/:id', { timeZone: 'UTC' }],
  [
    `update recordings set gaps = '[{"atMs":10,"durationMs":20,"cause":"flood"}]'`,
    '/api/recordings/:id',
    { gaps: [{ atMs: 10, durationMs: 20, cause: 'unknown' }] },
  ],
  [`update uploads set container = 'tape'`, '/api/recordings/:id', { segments: [{ container: 'ogg' }] }],
  [`update recording_changes set kind = 'sung'`, '/api/recordings/:id', { history: [] }],
  [`update imported_files set rendition = 'sung'`, '/api/recordings/:import', { rendition: 'none' }],
  [`update imported_files set failure_reason = 'sung'`, '/api/recordings/:import', { failureReason: null }],
  [`update account_exports set state = 'sung'`, '/api/exports/account', { export: { state: 'failed' } }],
];

eachDatabase((_dialect, open) => {
  test.each(words)('%s, which this version does not know, fails no list', async (change, path, shown) => {
    const api = await apiUnderTest(await open());
    const { queries } = api.database;
    const user = await api.signIn();
    const { recordingId } = await recordTake(api, user);
    const imported = await importFile(api, user, { name: 'a.wav', bytes: makeWav({ seconds: 1 }) });
    await storeMarker(queries, { recording_id: recordingId, created_by: user.id });
    await api.as(user, { method: 'POST', url: '/api/tags', payload: { id: newId(), name: 'Wool' } });
    await queries
      .insertInto('recording_changes')
      .values({
        recording_id: recordingId,
        position: 0,
        at: 0,
        kind: 'reopened',
        device_label: '',
        from_ms: null,
        duration_ms: null,
        count: null,
      })
      .execute();
    await api.as(user, { method: 'POST', url: '/api/exports/account' });
    await sql.raw(change).execute(queries);
    const address = path.replace(':id', recordingId).replace(':import', imported.take.recordingId);
    const lists = [
      '/api/recordings',
      '/api/recordings/facets',
      '/api/tags',
      '/api/storage',
      `/api/recordings/${recordingId}/markers`,
      '/api/exports/account',
      address,
    ];
    const statuses = await Promise.all(
      lists.map(async (url) => [url, (await api.as(user, { url })).statusCode]),
    );
    expect(statuses).toEqual(lists.map((url) => [url, 200]));
    expect((await api.as(user, { url: address })).json()).toMatchObject(shown);
  });

  test('leaves an unknown colour as stored when a tag changes', async () => {
    const api = await apiUnderTest(await open());
    const { queries } = api.database;
    const user = await api.signIn();
    const tagId = newId();
    await api.as(user, { method: 'POST', url: '/api/tags', payload: { id: tagId, name: 'Wool' } });
    await sql`update tags set colour = 'ultraviolet'`.execute(queries);
    await api.as(user, { method: 'PATCH', url: `/api/tags/${tagId}`, payload: { name: 'Silk' } });
    expect(await queries.selectFrom('tags').select(['name', 'colour']).execute()).toEqual([
      { name: 'Silk', colour: 'ultraviolet' },
    ]);
  });

  test('grants nothing for an unknown role, and shows the user', async () => {
    const under = await accountsUnderTest(await open());
    const { browser } = await signUp(under);
    await sql`update users set role = 'emperor', locale = '?'`.execute(under.database.queries);
    expect(answerOf(await browser.send('GET', '/auth/session'))).toMatchObject({
      user: { role: 'member', locale: null },
    });
    expect((await browser.send('GET', '/api/admin/users')).statusCode).toBe(403);
  });
});
