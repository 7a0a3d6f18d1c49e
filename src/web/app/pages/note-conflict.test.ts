import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { Note } from '#contract/notes-api.ts';
import { newId } from '#device/new-id.ts';
import type { OutboxEntry } from '#device/outbox/outbox-entry.ts';
import { entryKeyOf, type OutboxStore } from '#device/outbox/outbox.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import type { TakeNote, TakeRecord } from '#device/records/take-record.ts';
import { apiOnSqlite, startTake } from '#tests/support/api-under-test.ts';
import { sessionState } from '#web/api/session-state.ts';
import { openNotes } from '#web/features/player/notes/open-notes.ts';
import { trySendPendingChanges } from '#web/features/recorder/recovery/take-actions.ts';
import { listEntries, outbox } from '#web/outbox/page-outbox.ts';
import { noteCallsOf } from '#web/outbox/send-note.ts';
import { storedTakes } from '#workers/take/labels/memory-takes-store.suite.ts';
import { TakeNotes } from '#workers/take/labels/take-notes.ts';
import { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import { UploadClient } from '#workers/upload/upload-client.ts';

vi.mock('#device/takes/takes-store.ts', () => import('#workers/take/labels/memory-takes-store.suite.ts'));
vi.mock('#device/outbox/outbox-store.ts', () => {
  const entries = new Map<string, OutboxEntry>();
  const store: OutboxStore = {
    list: async (userId) => [...entries.values()].filter((entry) => entry.userId === userId),
    put: async (entry) => void entries.set(entryKeyOf(entry), entry),
    has: async (entry) => entries.get(entryKeyOf(entry))?.id === entry.id,
    settle: async (entry) => {
      if (entries.get(entryKeyOf(entry))?.id === entry.id) entries.delete(entryKeyOf(entry));
    },
  };
  return { outboxStore: () => store };
});

const newNoteOf = ({ id, atMs, text }: TakeNote) => ({ id, fromMs: atMs, text });
const place = { fromMs: 0, toMs: null };
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

/** A running take of a user who is signed in on this page, and the server behind its requests. */
async function openTake() {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const { recordingId, token } = await startTake(api, user);
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    const sent = Object.fromEntries(new Headers(headers));
    const request = {
      url,
      method: methods.find((known) => known === method) ?? 'GET',
      headers: sent,
      ...(typeof body === 'string' && { payload: body }),
    };
    // A worker has a capability of the take, and no session.
    const response = await ('upload-capability' in sent ? api.app.inject(request) : api.as(user, request));
    const isEmpty = response.statusCode === 204;
    return new Response(isEmpty ? null : response.body, {
      status: response.statusCode,
      headers: { 'content-type': String(response.headers['content-type']) },
    });
  });
  sessionState.set({
    status: 'signed-in',
    user: { id: user.id, displayName: 'Ana', email: null, locale: null, role: 'member', createdAt: '' },
    signUp: 'open',
    hasMail: false,
    needsSetUpCode: false,
    methods: null,
    notices: [],
    isLeaving: false,
  });
  const note = { id: newId(), recordingId, place };
  const url = `/api/recordings/${recordingId}/notes`;
  return {
    user,
    note,
    recordingId,
    calls: noteCallsOf(user.id, { recordingId, noteId: note.id, ...place }),
    client: new UploadClient(fetch, { token, expiresAt: '', appendIntervalMs: 0 }),
    record: (changes: Partial<TakeRecord>): TakeRecord =>
      takeRecordFor({ id: recordingId, ownerId: user.id, ...changes }),
    create: async (text: string): Promise<Note> => {
      const payload = { id: note.id, fromMs: 0, text };
      return (await api.as(user, { method: 'POST', url, payload })).json<Note>();
    },
    /** Another device changes the note. */
    changeElsewhere: () =>
      api.as(user, {
        method: 'PATCH',
        url: `${url}/${note.id}`,
        payload: { revision: 1, text: 'Theirs' },
      }),
    onServer: async () =>
      (await api.as(user, { url })).json<{ items: Note[] }>().items.map(({ text }) => text),
  };
}

type OpenTake = Awaited<ReturnType<typeof openTake>>;

/** Opens what waits for its user, as the page of the recording does. */
async function openPage({ recordingId, calls }: OpenTake): Promise<void> {
  const stop = openNotes.reopenStored(recordingId, () => calls);
  await expect.poll(() => openNotes.getSnapshot()).toHaveLength(1);
  stop();
}

/** Sends "Mine", which was typed over "Base" while the note became "Theirs" elsewhere. */
async function sendFromRecovery({
  note,
  recordingId,
  record,
  create,
  changeElsewhere,
}: OpenTake): Promise<void> {
  await create('Base');
  const notes = [{ id: note.id, atMs: 0, text: 'Mine', sentText: 'Base' }];
  storedTakes.set(
    recordingId,
    record({ receiptAtMs: 1, notes, pendingChanges: [{ kind: 'note', id: note.id }] }),
  );
  await changeElsewhere();
  await trySendPendingChanges(recordingId);
}

/** How "Mine" is typed over "Base" while the note becomes "Theirs" elsewhere. */
const origins = {
  page: async ({ note, calls, create, changeElsewhere }: OpenTake) => {
    openNotes.open(await create('Base'), note, calls);
    await changeElsewhere();
    openNotes.getSnapshot()[0]?.saver.type('Mine');
  },
  recovery: async (take: OpenTake) => {
    await sendFromRecovery(take);
    await openPage(take);
  },
  worker: async (take: OpenTake) => {
    const { note, recordingId, record, client, changeElsewhere } = take;
    storedTakes.set(recordingId, record({}));
    const notes = new TakeNotes(new TakeRecordWriter(record({})));
    await notes.add(note.id, 0);
    await notes.write(note.id, 'Base');
    const sent = notes.nextToSend(true);
    const answer = sent && (await notes.send(sent, () => client.addNote(recordingId, newNoteOf(sent))));
    await changeElsewhere();
    await notes.write(note.id, 'Mine');
    if (sent && answer) await notes.setSent(sent, answer);
    await trySendPendingChanges(recordingId);
    await openPage(take);
  },
};

beforeEach(() => {
  vi.stubGlobal('addEventListener', () => {});
  // Responses are checked against the contract only in development.
  vi.stubEnv('DEV', false);
});

afterEach(() => {
  for (const { saver } of openNotes.getSnapshot()) openNotes.close(saver);
  storedTakes.clear();
});

test.each(Object.entries(origins))(
  'a note typed in the %s and changed elsewhere asks its user, and stays until then',
  async (_origin, type) => {
    const take = await openTake();
    await type(take);
    const saver = openNotes.getSnapshot()[0]?.saver;
    await saver?.flush();
    expect(saver?.getSnapshot()).toMatchObject({
      status: 'conflict',
      text: 'Mine',
      theirs: { text: 'Theirs' },
    });
    expect(await take.onServer()).toEqual(['Theirs']);
    await saver?.saveMine();
    expect([saver?.getSnapshot(), await take.onServer()]).toEqual([
      { status: 'saved', text: 'Mine' },
      ['Mine'],
    ]);
    await expect.poll(() => listEntries(take.user.id)).toEqual([]);
  },
);

test('a text that the worker sent again after a lost response reaches the server', async () => {
  const { note, recordingId, record, client, onServer } = await openTake();
  storedTakes.set(recordingId, record({}));
  const notes = new TakeNotes(new TakeRecordWriter(record({})));
  await notes.add(note.id, 0);
  for (const [text, isAnswered] of [
    ['First', false],
    ['Second', true],
  ] as const) {
    await notes.write(note.id, text);
    const next = notes.nextToSend(true);
    const answer = next && (await notes.send(next, () => client.addNote(recordingId, newNoteOf(next))));
    if (next && answer && isAnswered) await notes.setSent(next, answer);
  }
  expect(await onServer()).toEqual(['First']);
  await trySendPendingChanges(recordingId);
  expect(await onServer()).toEqual(['Second']);
});

describe('a text of a take that waits for its user', () => {
  const waiting = async () => {
    const take = await openTake();
    await sendFromRecovery(take);
    const stored = () => storedTakes.get(take.recordingId) as TakeRecord;
    const change = (text: string | null) => {
      const notes = text === null ? [] : stored().notes?.map((note) => ({ ...note, text }));
      const pendingChanges = [{ kind: 'note', id: take.note.id }] as const;
      storedTakes.set(take.recordingId, { ...stored(), notes, pendingChanges });
      return trySendPendingChanges(take.recordingId);
    };
    const texts = async () =>
      (await listEntries(take.user.id)).map(({ kind, payload }) => (kind === 'note' ? payload.text : kind));
    return { ...take, stored, change, texts };
  };

  test('is in the outbox as well if the server does not take it', async () => {
    const { change, stored, texts, onServer } = await waiting();
    await change('x'.repeat(limits.noteLength + 1));
    expect([stored().pendingChanges, (await texts()).map((text) => text.length)]).toEqual([
      [],
      [limits.noteLength + 1],
    ]);
    expect(await onServer()).toEqual(['Theirs']);
  });

  test('is in the outbox, and no longer a pending change of the take', async () => {
    const { stored, texts, recordingId, onServer } = await waiting();
    await outbox.flush();
    await trySendPendingChanges(recordingId);
    expect([stored().pendingChanges, await texts(), await onServer()]).toEqual([[], ['Mine'], ['Theirs']]);
  });

  test('is replaced by a later text of the take, and dropped with its note', async () => {
    const { change, texts, onServer } = await waiting();
    await change('Mine, longer');
    expect([await texts(), await onServer()]).toEqual([['Mine, longer'], ['Theirs']]);
    await change(null);
    expect([await texts(), await onServer()]).toEqual([[], []]);
  });

  test('stays beside a later text of the take while a page has it open', async () => {
    const take = await waiting();
    await openPage(take);
    await take.change('Mine, longer');
    expect([await take.texts(), await take.onServer()]).toEqual([['Mine', 'Mine, longer'], ['Theirs']]);
  });
});
