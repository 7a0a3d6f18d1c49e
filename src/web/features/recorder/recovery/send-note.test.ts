import { beforeEach, expect, test, vi } from 'vitest';
import type { Note } from '#contract/notes-api.ts';
import { sendTakeNote, type NotesOfTake } from './send-note.ts';

const note = (text: string, revision = 1): Note => ({
  id: 'n',
  recordingId: 'r',
  fromMs: 1000,
  toMs: null,
  text,
  revision,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
});
const take = (text: string, sentText: string | null = null): NotesOfTake => ({
  id: 'r',
  notes: [{ id: 'n', atMs: 1000, text, sentText }],
});

let sent: [method: string | undefined, owner: string | null][] = [];

beforeEach(() => {
  sent = [];
  // Responses are checked against the contract only in development.
  vi.stubEnv('DEV', false);
});

function answer(there: Note): void {
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit = {}) => {
    sent.push([init.method, new Headers(init.headers).get('x-expected-principal')]);
    if (init.method === 'DELETE') return new Response(null, { status: 204 });
    return Response.json(init.method === 'PATCH' ? note('changed', 2) : there);
  });
}

// The session of another user would answer that there is no such recording, and the change would be dropped.
test.each([
  ['a new note', take('One'), ['POST']],
  ['a changed note', take('One two', 'One'), ['POST', 'PATCH']],
  ['a removed note', { ...take(''), notes: [] }, ['DELETE']],
] as const)('names the user in every request for %s', async (_name, subject, methods) => {
  answer(note('One'));
  await sendTakeNote(subject, 'n', 'ana');
  expect(sent).toEqual(methods.map((method) => [method, 'ana']));
});
