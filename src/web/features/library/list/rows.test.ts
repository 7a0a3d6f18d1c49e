import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Recording } from '#contract/recordings.ts';
import { recordingFor } from '#web/api/lists/recording-for.suite.ts';
import { flattenPages } from '#web/api/lists/flatten-pages.ts';
import { rowsOf, type LocalTakeFacts } from './rows.ts';

const recording = (id: string): Recording => recordingFor(id);
const take = (id: string, facts: Partial<LocalTakeFacts> = {}): LocalTakeFacts => ({
  id, title: 'Field notes', startedAtMs: 0, timeZone: 'UTC', durationMs: 5000, markers: [], state: 'stopped', safety: 'device', ...facts,
});
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe('the list', () => {
  test('holds each recording of overlapping pages once, in the order of the pages', () => {
    fc.assert(fc.property(fc.uniqueArray(fc.uuid(), { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 5 }), (all, size, overlap) => {
      const pages = [];
      for (let from = 0; from < all.length; from += size) {
        pages.push({ items: all.slice(Math.max(0, from - overlap), from + size).map((id) => recording(id)), nextCursor: null, total: null });
      }
      expect(ids(flattenPages(pages))).toEqual(all);
    }));
  });

  test('says of a file that still arrives that it is uploaded, not that it is recorded', () => {
    const stateOf = (source: Recording['source']) => rowsOf({ takes: [], recordings: [{ ...recording('a'), state: 'receiving', source }], isFiltered: false, search: '', hasServerList: true })[0]?.state;
    expect([stateOf('import'), stateOf('microphone')]).toEqual(['syncing', 'receiving']);
  });

  test('says of an import without sound that there is none, and of one that is not ready yet that it is not', () => {
    const stateOf = (rendition: Recording['rendition']) => rowsOf({ takes: [], recordings: [{ ...recording('a'), state: 'failed', source: 'import', rendition }], isFiltered: false, search: '', hasServerList: true })[0]?.state;
    expect([stateOf('failed'), stateOf('waiting')]).toEqual(['unheard', 'failed']);
  });

  test('begins with the takes that only this device has', () => {
    const rows = rowsOf({ takes: [take('t')], recordings: [recording('a')], isFiltered: false, search: '', hasServerList: true });
    expect(rows.map(({ id, state, isOnServer }) => [id, state, isOnServer])).toEqual([['t', 'device', false], ['a', 'ready', true]]);
  });

  test('shows a take that the server already lists once, as the server knows it', () => {
    expect(ids(rowsOf({ takes: [take('a', { safety: 'syncing' })], recordings: [recording('a')], isFiltered: false, search: '', hasServerList: true }))).toEqual(['a']);
  });

  test('leaves copies of what the server has out, unless the server cannot be asked', () => {
    const takes = [take('copy', { safety: 'server' })];
    expect(rowsOf({ takes, recordings: [], isFiltered: false, search: '', hasServerList: true })).toEqual([]);
    expect(ids(rowsOf({ takes, recordings: [], isFiltered: false, search: '', hasServerList: false }))).toEqual(['copy']);
  });

  test('finds takes on this device as the server finds its own: without case and marks', () => {
    const takes = [take('a', { title: 'Łódź, Café Größe' }), take('b', { title: 'Other' })];
    expect(ids(rowsOf({ takes, recordings: [], isFiltered: false, search: 'CAFE', hasServerList: true }))).toEqual(['a']);
  });

  test('leaves out what only this device has while filters are set', () => {
    expect(ids(rowsOf({ takes: [take('t')], recordings: [recording('a')], search: '', isFiltered: true, hasServerList: true }))).toEqual(['a']);
  });

  test('says of a take whether it is being recorded, on its way, or only here', () => {
    const takes = [take('a', { state: 'recording' }), take('b', { safety: 'syncing' }), take('c')];
    expect(rowsOf({ takes, recordings: [], isFiltered: false, search: '', hasServerList: true }).map(({ state }) => state)).toEqual(['recording-here', 'syncing', 'device']);
  });
});
