import { describe, expect, test } from 'vitest';
import type { Note } from '#contract/notes-api.ts';
import { ApiError } from '#web/api/api-error.ts';
import { NoteSaver } from './note-saver.ts';

const noteOf = (text: string, revision: number): Note => ({
  id: 'n',
  recordingId: 'r',
  fromMs: 0,
  toMs: null,
  text,
  revision,
  createdAt: '',
  updatedAt: '',
});

/** A server that stores one note by the rules of the contract. */
class OneNote {
  note: Note | null;
  sent: string[] = [];
  meanwhile: (() => void) | null = null;
  failure: Error | null = null;

  constructor(note: Note | null) {
    this.note = note;
  }

  readonly calls = {
    send: async (text: string, revision: number | null): Promise<Note> => {
      await Promise.resolve();
      this.meanwhile?.();
      this.meanwhile = null;
      if (this.failure) throw this.failure;
      if (this.note && this.note.revision !== revision)
        throw new ApiError({ code: 'note-changed', status: 409, problem: null });
      this.sent.push(text);
      this.note = noteOf(text, (revision ?? 0) + 1);
      return this.note;
    },
    read: async () => this.note,
  };
}

describe('saving a note', () => {
  test('creates the note, then changes it, one request at a time', async () => {
    const server = new OneNote(null);
    const saver = new NoteSaver(null, server.calls);
    await saver.flush();
    expect(server.sent).toEqual([]);
    saver.type('One');
    server.meanwhile = () => {
      saver.type('One two');
    };
    await Promise.all([saver.flush(), saver.flush()]);
    expect(server.sent).toEqual(['One', 'One two']);
    expect(saver.getSnapshot()).toEqual({ status: 'saved', text: 'One two' });
  });

  test('reports a conflict instead of overwriting a change from elsewhere, until one text is chosen', async () => {
    const server = new OneNote(noteOf('Base', 1));
    const saver = new NoteSaver(server.note, server.calls);
    saver.type('Mine');
    server.note = noteOf('Theirs', 2);
    await saver.flush();
    expect(saver.getSnapshot()).toEqual({ status: 'conflict', theirs: noteOf('Theirs', 2), text: 'Mine' });
    expect(server.note.text).toBe('Theirs');
    saver.type('Mine, longer');
    await saver.flush();
    expect(server.note.text).toBe('Theirs');
    await saver.saveMine();
    expect(server.note).toEqual(noteOf('Mine, longer', 3));
  });

  test('replaces the typed text if the other one is chosen', async () => {
    const server = new OneNote(noteOf('Base', 1));
    const saver = new NoteSaver(server.note, server.calls);
    saver.type('Mine');
    server.note = noteOf('Theirs', 2);
    await saver.flush();
    saver.takeTheirs();
    await saver.flush();
    expect([saver.text, saver.getSnapshot().status, server.note.text]).toEqual(['Theirs', 'saved', 'Theirs']);
  });

  test('adopts changes from another tab only while nothing is unsaved', async () => {
    const saver = new NoteSaver(noteOf('Base', 1), new OneNote(noteOf('Base', 1)).calls);
    expect([saver.receive(noteOf('Base', 1)), saver.receive(noteOf('Newer', 2)), saver.text]).toEqual([
      false,
      true,
      'Newer',
    ]);
    saver.type('Mine');
    expect([saver.receive(noteOf('Newest', 3)), saver.text]).toEqual([false, 'Mine']);
  });

  test("saves without a conflict if only the note's position was changed elsewhere", async () => {
    const server = new OneNote(noteOf('Base', 1));
    const saver = new NoteSaver(server.note, server.calls);
    saver.type('Mine');
    await saver.flush();
    expect(saver.revision).toBe(2);
    server.note = { ...noteOf('Mine', 3), fromMs: 500 };
    saver.type('Mine, longer');
    saver.receive(server.note);
    await saver.flush();
    expect(server.note).toMatchObject({ text: 'Mine, longer', revision: 4 });
  });

  test('retains text that could not be sent, and sends it with the next flush', async () => {
    const server = new OneNote(noteOf('Base', 1));
    const saver = new NoteSaver(server.note, server.calls);
    server.failure = new ApiError({ code: 'offline', status: 0, problem: null });
    saver.type('Mine');
    await saver.flush();
    expect([saver.getSnapshot().status, saver.isBehind]).toEqual(['failed', true]);
    server.failure = null;
    await saver.flush();
    expect([server.note?.text, saver.getSnapshot().status]).toEqual(['Mine', 'saved']);
  });

  test('changes the note that it created if the response to the creation was lost', async () => {
    const server = new OneNote(null);
    const sent: [string, number | null][] = [];
    const saver = new NoteSaver(null, {
      ...server.calls,
      // Creating an existing id returns the existing note.
      send: async (text, revision) => {
        sent.push([text, revision]);
        if (revision !== null || server.note === null) return server.calls.send(text, revision);
        return server.note;
      },
    });
    server.failure = new ApiError({ code: 'offline', status: 0, problem: null });
    saver.type('One');
    await saver.flush();
    server.failure = null;
    server.note = noteOf('One', 1);
    saver.type('One two');
    await saver.flush();
    expect([server.note.text, sent]).toEqual([
      'One two',
      [
        ['One', null],
        ['One two', null],
        ['One two', 1],
      ],
    ]);
  });

  test('reports a conflict if the note that it creates was changed elsewhere meanwhile', async () => {
    const server = new OneNote(noteOf('One, changed elsewhere', 2));
    const created = async (text: string, revision: number | null): Promise<Note> =>
      revision === null && server.note ? server.note : server.calls.send(text, revision);
    const saver = new NoteSaver(null, { ...server.calls, send: created });
    saver.type('One two');
    await saver.flush();
    expect(saver.getSnapshot()).toMatchObject({
      status: 'conflict',
      theirs: { text: 'One, changed elsewhere' },
    });
    expect(server.sent).toEqual([]);
  });

  test('does not report a conflict with its own text whose response was lost', async () => {
    const server = new OneNote(noteOf('Base', 1));
    const saver = new NoteSaver(server.note, server.calls);
    server.failure = new ApiError({ code: 'offline', status: 0, problem: null });
    saver.type('Mine');
    await saver.flush();
    server.failure = null;
    server.note = noteOf('Mine', 2);
    saver.type('Mine, longer');
    const { unsaved } = saver;
    expect(unsaved).toEqual({ text: 'Mine, longer', revision: 1, sentText: 'Mine' });
    const later = new NoteSaver(null, server.calls, unsaved);
    await later.flush();
    expect([server.note, later.getSnapshot().status]).toEqual([noteOf('Mine, longer', 3), 'saved']);
  });

  test('detects a conflict that an earlier page left unresolved', async () => {
    const server = new OneNote(noteOf('Theirs', 2));
    const later = new NoteSaver(null, server.calls, { text: 'Mine', revision: 1, sentText: null });
    expect(later.getSnapshot()).toEqual({ status: 'typing', text: 'Mine' });
    await later.flush();
    expect(later.getSnapshot()).toEqual({ status: 'conflict', theirs: noteOf('Theirs', 2), text: 'Mine' });
    expect(later.unsaved).not.toBeNull();
  });
});
