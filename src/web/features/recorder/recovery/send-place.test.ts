import { expect, test, vi } from 'vitest';
import { sendPlace } from './send-place.ts';

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
  await sendPlace({ id: 'r', ownerId: 'ana', ...place });
  expect(sent).toEqual([request]);
});
