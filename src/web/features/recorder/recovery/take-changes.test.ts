import { expect, test, vi } from 'vitest';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { sendTakeChange } from './take-changes.ts';

test.each([
  ['in the trash', { deletedAtMs: 1 }, 'DELETE /api/recordings/r'],
  ['restored', { deletedAtMs: null }, 'POST /api/recordings/r/restore?isUndo=false'],
  [
    'restored on purpose',
    { deletedAtMs: null, isTrashUndone: false },
    'POST /api/recordings/r/restore?isUndo=false',
  ],
  ['back by Undo', { deletedAtMs: null, isTrashUndone: true }, 'POST /api/recordings/r/restore?isUndo=true'],
  ['in the trash after an Undo', { deletedAtMs: 2, isTrashUndone: true }, 'DELETE /api/recordings/r'],
])('sends a take that is %s', async (_name, place, request) => {
  // Responses are checked against the contract only in development.
  vi.stubEnv('DEV', false);
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    sent.push(`${method ?? 'GET'} ${url}`);
    return Response.json({});
  });
  await sendTakeChange({ ...takeRecordFor({ id: 'r' }), ownerId: 'ana', ...place }, { kind: 'trash' });
  expect(sent).toEqual([request]);
});

test('names a marker without moving it, and removes one that the take no longer has', async () => {
  vi.stubEnv('DEV', false);
  const sent: unknown[] = [];
  const there = { id: 'm', recordingId: 'r', atMs: 7000, label: '', colour: 'red', createdAt: '' };
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    sent.push([method, url, typeof body === 'string' ? JSON.parse(body) : null]);
    return method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(there);
  });
  const markers = [{ id: 'm', atMs: 1000, label: 'Well', sent: true }];
  const take = { ...takeRecordFor({ id: 'r', markers }), ownerId: 'ana' };
  await sendTakeChange(take, { kind: 'marker', id: 'm' });
  await sendTakeChange(take, { kind: 'marker', id: 'removed' });
  expect(sent).toEqual([
    ['POST', '/api/recordings/r/markers', { id: 'm', atMs: 1000, label: 'Well' }],
    ['PATCH', '/api/recordings/r/markers/m', { label: 'Well' }],
    ['DELETE', '/api/recordings/r/markers/removed', null],
  ]);
});
