import { expect, test } from 'vitest';
import { second } from '#base/duration.ts';
import { DownloadRates } from './download-rates.ts';
import { matchFiles } from './match-files.ts';

const model = (name: string, sizes: Record<string, number>, storedBytes = 0) => ({
  name,
  storedBytes,
  files: Object.entries(sizes).map(([file, sizeBytes]) => ({ name: file, sizeBytes, storedBytes: 0 })),
});
const small = model('small', { encoder: 100, decoder: 200, tokens: 7 });
const base = model('base', { encoder: 10, decoder: 20, tokens: 7 });
const placesOf = (sizes: number[], models = [small, base]) =>
  matchFiles(
    sizes.map((size) => ({ size })),
    models,
  ).map(({ place }) => place && `${place.modelName}/${place.fileName}`);

test('finds the place of a file by its length', () => {
  expect(placesOf([200, 10])).toEqual(['small/decoder', 'base/encoder']);
});

test('does not know a file of another length', () => {
  expect(placesOf([201, 0])).toEqual([null, null]);
});

test('a file that models share goes to the one that the other files belong to', () => {
  expect(placesOf([10, 20, 7])).toEqual(['base/encoder', 'base/decoder', 'base/tokens']);
  expect(placesOf([100, 7])).toEqual(['small/encoder', 'small/tokens']);
  expect(placesOf([7], [small, { ...base, storedBytes: 10 }])).toEqual(['base/tokens']);
});

test('the rate of a download is that of its last seconds', () => {
  const rates = new DownloadRates();
  expect(rates.note('base', 0, 0)).toBeNull();
  expect(rates.note('base', 3000, second)).toBe(3000);
  expect(rates.note('base', 3000, 11 * second + 1)).toBeNull();
  expect(rates.note('base', 13_000, 12 * second + 1)).toBe(10_000);
  // The bytes of a wrong file were deleted.
  expect(rates.note('base', 0, 13 * second)).toBeNull();
});
