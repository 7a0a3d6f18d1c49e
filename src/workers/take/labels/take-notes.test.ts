import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Addition } from '#device/sync/sent-texts.ts';
import { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { storedTakes } from './memory-takes-store.suite.ts';
import { TakeNotes } from './take-notes.ts';

vi.mock('#device/takes/takes-store.ts', () => import('./memory-takes-store.suite.ts'));

const record = takeRecordFor();
const onDisk = () => storedTakes.get('take') as TakeRecord;
const storePage = (changes: Partial<TakeRecord>) => storedTakes.set('take', { ...onDisk(), ...changes });

beforeEach(() => {
  vi.useFakeTimers();
  storedTakes.set('take', record);
});

test('saves every change of a note to disk, with the notes in order of time', async () => {
  const notes = new TakeNotes(new TakeRecordWriter(record));
  await notes.add('late', 900);
  await notes.write('late', 'Ask ag');
  await notes.add('early', 100);
  await notes.write('late', 'Ask again');
  expect(onDisk().notes).toEqual([
    { id: 'early', atMs: 100, text: '', sentText: null },
    { id: 'late', atMs: 900, text: 'Ask again', sentText: null },
  ]);
});

test('sends a note when it has been unchanged for a while or the take stops, but never an empty one', async () => {
  const notes = new TakeNotes(new TakeRecordWriter(record));
  await notes.add('blank', 1);
  await notes.write('blank', ' \n');
  await notes.add('note', 2);
  await notes.write('note', 'said');
  expect([notes.nextToSend(false), notes.nextToSend(true)]).toEqual([
    null,
    { id: 'note', atMs: 2, text: 'said' },
  ]);
  vi.advanceTimersByTime(31_000);
  expect(notes.nextToSend(false)).toMatchObject({ id: 'note' });
  await notes.setSent({ id: 'note', atMs: 2, text: 'said' }, { text: 'said' });
  expect([notes.nextToSend(true), onDisk().pendingChanges]).toEqual([null, undefined]);
});

test('leaves a note that the server does not take to the page, which tells its user', async () => {
  const notes = new TakeNotes(new TakeRecordWriter(record));
  await notes.add('note', 2);
  await notes.write('note', 'said');
  await notes.setSent({ id: 'note', atMs: 2, text: 'said' }, 'rejected');
  expect([notes.nextToSend(true), onDisk().pendingChanges]).toEqual([null, [{ kind: 'note', id: 'note' }]]);
});

test('closing a note deletes it only if it has no text', async () => {
  const notes = new TakeNotes(new TakeRecordWriter(record));
  for (const [id, text] of [
    ['note', 'said'],
    ['blank', ' \n'],
  ] as const) {
    await notes.add(id, 1);
    // Not awaited: the disk may be slower than the user.
    const written = notes.write(id, text);
    await notes.close(id);
    await written;
  }
  await notes.close('unknown');
  expect(onDisk().notes).toMatchObject([{ id: 'note', text: 'said' }]);
});

test('adds a pending change when a note is edited or deleted after it was sent', async () => {
  const notes = new TakeNotes(new TakeRecordWriter(record));
  await notes.add('note', 2);
  await notes.write('note', 'said');
  const sending = notes.nextToSend(true);
  await notes.write('note', 'said more');
  if (sending) await notes.setSent(sending, { text: sending.text });
  expect(onDisk()).toMatchObject({
    pendingChanges: [{ kind: 'note', id: 'note' }],
    notes: [{ text: 'said more', sentText: 'said' }],
  });
  storePage({ pendingChanges: [] });
  await notes.remove('note');
  expect(onDisk()).toMatchObject({ pendingChanges: [{ kind: 'note', id: 'note' }], notes: [] });
});

test('keeps the text that the page has sent meanwhile', async () => {
  const notes = new TakeNotes(new TakeRecordWriter(record));
  await notes.add('note', 2);
  await notes.write('note', 'said');
  await notes.setSent({ id: 'note', atMs: 2, text: 'said' }, { text: 'said' });
  await notes.write('note', 'said more');
  storePage({ notes: onDisk().notes?.map((note) => ({ ...note, sentText: note.text })), pendingChanges: [] });
  await notes.write('note', 'said more again');
  expect(onDisk().notes).toEqual([{ id: 'note', atMs: 2, text: 'said more again', sentText: 'said more' }]);
});

test('are sent again to a server that lost them, and a deleted one is still deleted there', async () => {
  const notes = new TakeNotes(new TakeRecordWriter(record));
  await notes.add('left', 1);
  await notes.write('left', 'Stays');
  await notes.add('deleted', 2);
  await notes.write('deleted', 'Goes');
  for (let next = notes.nextToSend(true); next !== null; next = notes.nextToSend(true))
    await notes.setSent(next, { text: next.text });
  notes.sendAgain();
  await notes.remove('deleted');
  expect(onDisk().pendingChanges).toEqual([{ kind: 'note', id: 'deleted' }]);
  expect(notes.nextToSend(false)).toEqual({ id: 'left', atMs: 1, text: 'Stays' });
  await notes.setSent({ id: 'left', atMs: 1, text: 'Stays' }, { text: 'Stays' });
  expect(notes.nextToSend(true)).toBeNull();
});

describe('a note that the server had already', () => {
  const lost = () => Promise.reject(new Error('the response was lost'));
  const existing = async () => 'existing' as const;
  const typed = async (text: string, writer = new TakeRecordWriter(record)) => {
    const notes = new TakeNotes(writer);
    await notes.add('note', 2);
    await notes.write('note', text);
    return notes;
  };
  const attempt = async (notes: TakeNotes, add: () => Promise<Addition>) => {
    const next = notes.nextToSend(true);
    if (next) await notes.setSent(next, await notes.send(next, add));
  };

  test('has what was typed after a lost response as a pending change', async () => {
    const notes = await typed('said');
    await expect(attempt(notes, lost)).rejects.toThrow('lost');
    await notes.write('note', 'said more');
    await attempt(notes, existing);
    expect(onDisk()).toMatchObject({
      pendingChanges: [{ kind: 'note', id: 'note' }],
      notes: [{ text: 'said more', sentText: 'said' }],
    });
    expect(notes.nextToSend(true)).toBeNull();
  });

  test('has no pending change if its text is still that of the lost response', async () => {
    const notes = await typed('said');
    await expect(attempt(notes, lost)).rejects.toThrow('lost');
    await attempt(notes, existing);
    expect([onDisk().pendingChanges, onDisk().notes?.[0]?.sentText]).toEqual([undefined, 'said']);
  });

  test('is compared by the page after a crash, because the text of the lost response is not known', async () => {
    await typed('said more');
    const recovered = new TakeNotes(new TakeRecordWriter(onDisk()));
    await attempt(recovered, existing);
    expect(onDisk()).toMatchObject({
      pendingChanges: [{ kind: 'note', id: 'note' }],
      notes: [{ text: 'said more' }],
    });
    expect(onDisk().notes?.[0]?.sentText).not.toBe('said more');
    expect(recovered.nextToSend(true)).toBeNull();
  });
});
