import { beforeEach, expect, test, vi } from 'vitest';
import type { Note } from '#contract/notes-api.ts';
import { type EntryOf, newEntry } from '#device/outbox/outbox-entry.ts';
import { sendNoteEntry } from './send-note.ts';

const entryOf = (payload: Partial<EntryOf<'note'>['payload']> = {}): EntryOf<'note'> =>
  newEntry({
    userId: 'ana',
    kind: 'note',
    target: 'draft',
    payload: {
      recordingId: 'r',
      noteId: 'n',
      fromMs: 1000,
      toMs: null,
      text: 'One',
      revision: 1,
      sentText: null,
      ...payload,
    },
  });
const note: Note = {
  id: 'n',
  recordingId: 'r',
  fromMs: 1000,
  toMs: null,
  text: 'One',
  revision: 2,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const problem = (status: number, code: string): Response =>
  Response.json(
    { title: code, status, code, instance: 'urn:uuid:7' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );

let sent: string[] = [];
/** Answers by method; every GET is the list of notes. */
const answer = (responses: Record<string, Response>): void => {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    sent.push(`${init.method} ${url}`);
    return responses[init.method ?? 'GET'];
  });
};

beforeEach(() => {
  sent = [];
  // Responses are checked against the contract only in development.
  vi.stubEnv('DEV', false);
});

test('saves a note that an earlier page could not save', async () => {
  answer({ PATCH: Response.json(note) });
  expect(await sendNoteEntry(entryOf())).toBe('settled');
  expect(sent).toEqual(['PATCH /api/recordings/r/notes/n']);
});

test('holds the text of a note that was deleted elsewhere', async () => {
  answer({ PATCH: problem(404, 'not-found'), GET: Response.json({ items: [] }) });
  expect(await sendNoteEntry(entryOf())).toBe('not-yet');
});

test('drops the text of a note whose recording was deleted permanently', async () => {
  answer({ PATCH: problem(404, 'not-found'), GET: problem(404, 'not-found') });
  expect(await sendNoteEntry(entryOf())).toBe('settled');
});

test('holds a text that the server rejects', async () => {
  answer({ PATCH: problem(413, 'too-much-text') });
  expect(await sendNoteEntry(entryOf())).toBe('not-yet');
});

test('holds a text that conflicts with a change made elsewhere, without sending it again', async () => {
  answer({
    PATCH: problem(409, 'note-changed'),
    GET: Response.json({ items: [{ ...note, text: 'Changed elsewhere' }] }),
  });
  const entry = entryOf();
  expect([await sendNoteEntry(entry), await sendNoteEntry(entry)]).toEqual(['not-yet', 'not-yet']);
  expect(
    sent.filter((request) => request.startsWith('PATCH')),
    'its user decides',
  ).toHaveLength(1);
});
