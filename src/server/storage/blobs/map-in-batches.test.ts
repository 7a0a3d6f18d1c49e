import { expect, test } from 'vitest';
import { mapInBatches } from './map-in-batches.ts';

test('returns the results in order and runs few calls at a time', async () => {
  let [running, max] = [0, 0];
  const items = Array.from({ length: 100 }, (_, index) => index);
  const results = await mapInBatches(items, async (item, index) => {
    running += 1;
    max = Math.max(max, running);
    await Promise.resolve();
    running -= 1;
    return item + index;
  });
  expect(results).toEqual(items.map((item) => item * 2));
  expect(max).toBeLessThan(10);
});
