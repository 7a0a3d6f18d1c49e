import { expect, test } from 'vitest';
import { recordingFor } from '#web/api/queries/recording-for.suite.ts';
import { localFavourites } from './local-favourites.ts';
import type { ListedTake } from '#web/features/library/list/library-items.ts';

const take = (id: string): ListedTake => ({
  id,
  title: id,
  timeZone: 'UTC',
  startedAtMs: 0,
  durationMs: 5000,
  markers: [],
  state: 'stopped',
  facts: { isCapturing: false, receipt: 'whole', isStored: true, owner: 'me', transfer: 'none' },
});

test('offline, lists the favourites of the last list with pending stars, and their copies on this device', () => {
  const lastList = [
    recordingFor('a'),
    { ...recordingFor('b'), isFavourite: true },
    { ...recordingFor('c'), isFavourite: true },
  ];
  const here = localFavourites(
    { takes: [take('a'), take('b'), take('elsewhere')], lastList },
    new Map([
      ['a', true],
      ['b', false],
    ]),
  );
  expect([here.lastList.map(({ id }) => id), here.takes.map(({ id }) => id)]).toEqual([['a', 'c'], ['a']]);
});
