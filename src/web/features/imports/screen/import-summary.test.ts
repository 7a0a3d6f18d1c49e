import { describe, expect, test } from 'vitest';
import type { ImportItem, ImportState } from '#web/features/imports/importer/import-item.ts';
import { sectionsOf, summarise } from './import-summary.ts';

const done: ImportState = { step: 'done' };
const failed: ImportState = { step: 'failed', error: 'internal' };
const rejected: ImportState = { step: 'rejected', reason: 'empty' };
const unread: ImportState = { step: 'unread' };
const offered: ImportState = { step: 'offered' };
const waiting: ImportState = { step: 'waiting' };

const rowsOf = (states: readonly ImportState[]): ImportItem[] =>
  states.map((state, index) => ({
    id: String(index),
    recordingId: String(index),
    isContinuing: false,
    name: 'a.wav',
    sizeBytes: 10,
    sentBytes: 0,
    needsPage: false,
    isCopyMissing: false,
    isPutAside: false,
    tracks: [],
    proposedTime: null,
    state,
  }));
const checking: ImportState = { step: 'checking' };
const unplayable: ImportState = { step: 'unplayable' };
const summaryOf = (...states: readonly ImportState[]) => summarise(rowsOf(states));

test('the list begins with failures and ends with what is finished', () => {
  const rows = rowsOf([done, checking, unplayable, done, failed, unread]);
  const { failed: first, open, done: last } = sectionsOf(rows);
  expect([...first, ...open, ...last].map(({ state }) => state.step)).toEqual([
    'unplayable',
    'failed',
    'checking',
    'unread',
    'done',
    'done',
  ]);
});

describe('the summary of imports', () => {
  test('counts a file as imported only after the server has judged it', () => {
    expect(summaryOf(done, checking)).toEqual({ kind: 'under-way', done: 1, failed: 0, all: 2 });
    expect(summaryOf(done, unplayable)).toEqual({ kind: 'ended', done: 1, failed: 1, all: 2 });
  });

  test('counts the imported files among all', () => {
    expect(summaryOf(done, done, waiting, { step: 'reading', doneBytes: 1 })).toEqual({
      kind: 'under-way',
      done: 2,
      failed: 0,
      all: 4,
    });
    expect(summaryOf(done, { step: 'paused' })).toMatchObject({ kind: 'under-way', done: 1, all: 2 });
  });

  test('counts failures at the end, including rejected files', () => {
    expect(summaryOf(done, done, failed)).toEqual({ kind: 'ended', done: 2, failed: 1, all: 3 });
    expect(summaryOf(rejected)).toMatchObject({ kind: 'ended', done: 0, failed: 1 });
  });

  test('asks whether to import the files only while every file waits for an answer', () => {
    expect(summaryOf(offered, unread)).toEqual({ kind: 'asking' });
    expect(summaryOf(unread, done)).toMatchObject({ kind: 'under-way', done: 1, all: 2 });
    expect(summaryOf(unread, waiting)).toMatchObject({ kind: 'under-way', done: 0, all: 2 });
  });

  test('does not count files from another app before the user imports them', () => {
    expect(summaryOf(offered, waiting)).toMatchObject({ kind: 'under-way', done: 0, all: 1 });
  });

  test('counts nothing without files', () => {
    expect(summaryOf()).toEqual({ kind: 'ended', done: 0, failed: 0, all: 0 });
  });
});
