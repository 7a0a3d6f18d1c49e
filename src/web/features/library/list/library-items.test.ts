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
  test('has each recording of overlapping pages once, in page order', () => {
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

  test('does not show a file that is still uploading as a recording in progress', () => {
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

  test('shows an import without audio as such, and one still being processed as not ready', () => {
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

  test('lists the takes that only this device has first', () => {
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

  test("lists a take that the server has once, with the server's data", () => {
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

  test('shows the length of the take until the server has confirmed every byte', () => {
    const lengthOf = (
      facts: Partial<DeviceFacts>,
      {
        isAway = false,
        hasServerList = true,
        durationMs = 5000,
        state = 'receiving',
      }: {
        isAway?: boolean;
        hasServerList?: boolean;
        durationMs?: number | null;
        state?: 'receiving' | 'ready';
      } = {},
    ) => {
      const there = { ...recording('a'), state, durationMs: 1200 };
      return libraryItemsOf({
        takes: [take('a', { durationMs, facts: { ...owned, ...facts } })],
        recordings: hasServerList ? [there] : [],
        lastList: [there],
        transfers: nothingMoves,
        isFiltered: false,
        search: '',
        hasServerList,
        isAway,
      })[0]?.durationMs;
    };
    expect(lengthOf({})).toBe(5000);
    expect(lengthOf({ receipt: 'so-far' })).toBe(5000);
    expect(lengthOf({}, { isAway: true })).toBe(5000);
    expect(lengthOf({}, { isAway: true, hasServerList: false })).toBe(5000);
    expect(lengthOf({}, { durationMs: null })).toBeNull();
    expect(lengthOf({}, { durationMs: 900 })).toBe(1200);
    // The list may be older than the receipt.
    expect(lengthOf({ receipt: 'whole' })).toBe(5000);
    // The server measures what it has whole; but what it said before it went away may be of half a take.
    expect(lengthOf({ receipt: 'whole' }, { state: 'ready' })).toBe(1200);
    expect(lengthOf({ receipt: 'whole' }, { state: 'ready', isAway: true })).toBe(5000);
  });

  test("leaves out copies of server recordings, unless the server can't be reached", () => {
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

  test('finds takes on this device as the server does, ignoring case and diacritics', () => {
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

  test('leaves out takes that only this device has while filters are set', () => {
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

  test('shows whether a take is being recorded, is waiting, or is only on this device', () => {
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

  test("shows a copy of a server recording as on the server, even while the server can't be reached", () => {
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

  test('shows a take or import as uploading only while its bytes are being sent', () => {
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

  test('sorts takes on this device in by time', () => {
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

  test('offline, shows the last list with uncached recordings unplayable and none as recording now', () => {
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

  test('does not show the last list while the server can be reached', () => {
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
  'shows one heading per day with the %s first, and sorts times without a zone by local time',
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
