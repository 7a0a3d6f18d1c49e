import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Recording } from '#contract/recordings.ts';
import { recordingFor } from '#web/api/queries/recording-for.suite.ts';
import { flattenPages } from '#web/api/queries/recording-pages.ts';
import type { DeviceFacts } from '#device/takes/recording-state.ts';
import { dayGroup } from '#web/recordings/time/day-group.ts';
import { libraryItemsOf, type ListedTake } from './library-items.ts';

const recording = (id: string): Recording => recordingFor(id);
const unowned: DeviceFacts = {
  isCapturing: false,
  receipt: 'none',
  isStored: true,
  owner: 'nobody',
  transfer: 'none',
};
const owned: DeviceFacts = { ...unowned, owner: 'me' };
const take = (id: string, facts: Partial<ListedTake> = {}): ListedTake => ({
  id,
  title: 'Field notes',
  startedAtMs: 0,
  timeZone: 'UTC',
  durationMs: 5000,
  markers: [],
  state: 'stopped',
  facts: unowned,
  ...facts,
});
const nothingMoves = new Map();
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe('the list', () => {
  test('holds each recording of overlapping pages once, in the order of the pages', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.uuid(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 5 }),
        (all, size, overlap) => {
          const pages = [];
          for (let from = 0; from < all.length; from += size) {
            pages.push({
              items: all.slice(Math.max(0, from - overlap), from + size).map((id) => recording(id)),
              nextCursor: null,
              total: null,
            });
          }
          expect(ids(flattenPages(pages))).toEqual(all);
        },
      ),
    );
  });

  test('does not show a file that still arrives as a recording in progress', () => {
    const stateOf = (source: Recording['source']) =>
      libraryItemsOf({
        takes: [],
        recordings: [{ ...recording('a'), state: 'receiving', source }],
        transfers: nothingMoves,
        isFiltered: false,
        search: '',
        hasServerList: true,
      })[0]?.state;
    expect([stateOf('import'), stateOf('microphone')]).toEqual(['incomplete', 'recording-elsewhere']);
  });

  test('says of an import without sound that there is none, and of one that is not ready yet that it is not', () => {
    const stateOf = (rendition: Recording['rendition']) =>
      libraryItemsOf({
        takes: [],
        recordings: [{ ...recording('a'), state: 'failed', source: 'import', rendition }],
        transfers: nothingMoves,
        isFiltered: false,
        search: '',
        hasServerList: true,
      })[0]?.state;
    expect([stateOf('failed'), stateOf('waiting')]).toEqual(['no-sound', 'not-ready']);
  });

  test('begins with the takes that only this device has', () => {
    const rows = libraryItemsOf({
      takes: [take('t')],
      recordings: [recording('a')],
      transfers: nothingMoves,
      isFiltered: false,
      search: '',
      hasServerList: true,
    });
    expect(rows.map(({ id, state, isOnServer }) => [id, state, isOnServer])).toEqual([
      ['t', 'device', false],
      ['a', 'server', true],
    ]);
  });

  test('shows a take that the server already lists once, as the server knows it', () => {
    expect(
      ids(
        libraryItemsOf({
          takes: [take('a', { facts: owned })],
          recordings: [recording('a')],
          transfers: nothingMoves,
          isFiltered: false,
          search: '',
          hasServerList: true,
        }),
      ),
    ).toEqual(['a']);
  });

  test('leaves copies of what the server has out, unless the server cannot be asked', () => {
    const takes = [take('copy', { facts: { ...owned, receipt: 'whole' } })];
    expect(
      libraryItemsOf({
        takes,
        recordings: [],
        transfers: nothingMoves,
        isFiltered: false,
        search: '',
        hasServerList: true,
      }),
    ).toEqual([]);
    expect(
      ids(
        libraryItemsOf({
          takes,
          recordings: [],
          transfers: nothingMoves,
          isFiltered: false,
          search: '',
          hasServerList: false,
        }),
      ),
    ).toEqual(['copy']);
  });

  test('finds takes on this device as the server finds its own: without case and marks', () => {
    const takes = [take('a', { title: 'Łódź, Café Größe' }), take('b', { title: 'Other' })];
    expect(
      ids(
        libraryItemsOf({
          takes,
          recordings: [],
          transfers: nothingMoves,
          isFiltered: false,
          search: 'CAFE',
          hasServerList: true,
        }),
      ),
    ).toEqual(['a']);
  });

  test('leaves out what only this device has while filters are set', () => {
    expect(
      ids(
        libraryItemsOf({
          takes: [take('t')],
          recordings: [recording('a')],
          search: '',
          transfers: nothingMoves,
          isFiltered: true,
          hasServerList: true,
        }),
      ),
    ).toEqual(['a']);
  });

  test('shows whether a take is being recorded, waits, or is only on this device', () => {
    const takes = [
      take('a', { state: 'recording', facts: { ...unowned, isCapturing: true } }),
      take('b', { facts: owned }),
      take('c'),
    ];
    expect(
      libraryItemsOf({
        takes,
        recordings: [],
        transfers: nothingMoves,
        isFiltered: false,
        search: '',
        hasServerList: true,
      }).map(({ state }) => state),
    ).toEqual(['recording-here', 'waiting', 'device']);
  });

  test('shows a copy of a recording that the server has as on the server, also while the server can’t be asked', () => {
    const takes = [take('copy', { facts: { ...owned, receipt: 'whole' } })];
    expect(
      libraryItemsOf({
        takes,
        recordings: [],
        transfers: nothingMoves,
        isFiltered: false,
        search: '',
        hasServerList: false,
      }).map(({ state }) => state),
    ).toEqual(['server']);
  });

  test('shows a take or an import that the server waits for as uploading only while its bytes move', () => {
    const recordings = [
      { ...recording('take'), state: 'receiving' as const },
      { ...recording('file'), state: 'receiving' as const, source: 'import' as const },
    ];
    const statesWith = (transfer: 'moving' | 'no-connection') =>
      libraryItemsOf({
        takes: [take('take', { facts: owned })],
        recordings,
        transfers: new Map([
          ['take', transfer],
          ['file', transfer],
        ]),
        isFiltered: false,
        search: '',
        hasServerList: true,
      }).map(({ state }) => state);
    expect(statesWith('moving')).toEqual(['uploading', 'uploading']);
    expect(statesWith('no-connection')).toEqual(['waiting', 'waiting']);
  });

  test('sorts takes of this device in by time', () => {
    const at = (iso: string): Recording => ({
      ...recording(iso),
      recordedTime: { kind: 'moment', at: iso, timeZone: 'UTC' },
    });
    const recordings = [at('2026-11-25T12:36:00.000Z'), at('2026-11-25T12:00:00.000Z')];
    const takes = [take('t', { startedAtMs: Date.parse('2026-11-25T12:18:00.000Z') })];
    const sources = {
      takes,
      recordings,
      transfers: nothingMoves,
      isFiltered: false,
      search: '',
      hasServerList: true,
    };
    expect(ids(libraryItemsOf({ ...sources, byTime: 'newest' }))).toEqual([
      '2026-11-25T12:36:00.000Z',
      't',
      '2026-11-25T12:00:00.000Z',
    ]);
    expect(ids(libraryItemsOf({ ...sources, byTime: 'oldest' }))).toEqual([
      '2026-11-25T12:00:00.000Z',
      't',
      '2026-11-25T12:36:00.000Z',
    ]);
  });

  test('without a server shows the list that was shown last: what is not on this device can’t be played, and nothing is said to be recorded now', () => {
    const lastList = [
      recording('there'),
      { ...recording('running'), state: 'receiving' as const },
      recording('copy'),
    ];
    const takes = [take('copy', { facts: { ...owned, receipt: 'whole' } })];
    const rows = libraryItemsOf({
      takes,
      recordings: [],
      transfers: nothingMoves,
      isFiltered: false,
      search: '',
      hasServerList: false,
      lastList,
      isAway: true,
    });
    expect(rows.map(({ id, state, isUnavailable }) => [id, state, isUnavailable])).toEqual([
      ['there', 'server', true],
      ['running', 'incomplete', true],
      ['copy', 'server', false],
    ]);
  });

  test('shows no list of before while the server is there', () => {
    expect(
      libraryItemsOf({
        takes: [],
        recordings: [],
        transfers: nothingMoves,
        isFiltered: false,
        search: '',
        hasServerList: true,
        lastList: [recording('gone')],
      }),
    ).toEqual([]);
  });
});

test.each(['newest', 'oldest'] as const)(
  'each day has one heading, with the %s first: times with and without a zone stand by the clock of the reader',
  (byTime) => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Asia/Tokyo';
    const recordings = [
      { ...recording('evening'), recordedTime: { kind: 'local', dateTime: '2026-11-25T22:00:00' } as const },
      {
        ...recording('next-morning'),
        recordedTime: { kind: 'moment', at: '2026-11-25T20:00:00.000Z', timeZone: null } as const,
      },
      { ...recording('unknown'), recordedTime: { kind: 'unknown' } as const },
    ];
    const rows = libraryItemsOf({
      takes: [take('unsent', { startedAtMs: Date.parse('2026-11-25T12:00:00.000Z') })],
      recordings,
      transfers: nothingMoves,
      isFiltered: false,
      search: '',
      hasServerList: true,
      byTime,
    });
    const groups = rows.map(({ recordedTime }) =>
      dayGroup(recordedTime, { locale: 'en', nowMs: Date.parse('2026-11-26T06:00:00.000Z') }),
    );
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    expect(ids(rows)).toEqual(
      byTime === 'newest'
        ? ['next-morning', 'evening', 'unsent', 'unknown']
        : ['unsent', 'evening', 'next-morning', 'unknown'],
    );
    expect(groups.filter((group, index) => group !== groups[index - 1])).toHaveLength(3);
  },
);
