import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PositionMap } from './position-map.ts';

const places = fc
  .array(fc.record({ bytes: fc.integer({ min: 1, max: 3000 }), ms: fc.integer({ min: 0, max: 200 }) }), {
    minLength: 1,
    maxLength: 2000,
  })
  .map((steps) => {
    let bytes = 0;
    let ms = 0;
    return steps.map((step) => ({ bytes: (bytes += step.bytes), ms: (ms += step.ms) }));
  });

test('maps more bytes to no less sound, and all bytes to all of it', () => {
  fc.assert(
    fc.property(places, fc.array(fc.nat(6_000_000)), (known, asked) => {
      const map = new PositionMap();
      for (const { bytes, ms } of known) map.add(bytes, ms);
      const answers = asked.toSorted((a, b) => a - b).map((bytes) => map.msAt(bytes));
      expect(answers).toEqual(answers.toSorted((a, b) => a - b));
      expect(map.msAt(known.at(-1)?.bytes ?? 0)).toBe(known.at(-1)?.ms);
      expect(map.msAt(0)).toBe(0);
      expect(map.endMs).toBe(known.at(-1)?.ms);
    }),
  );
});

test('maps exactly while there are few positions', () => {
  fc.assert(
    fc.property(places, (all) => {
      const known = all.slice(0, 400);
      const map = new PositionMap();
      for (const { bytes, ms } of known) map.add(bytes, ms);
      for (const { bytes, ms } of known) expect(map.msAt(bytes)).toBe(ms);
    }),
  );
});

test('is accurate to a second after twelve hours with a page every 200 ms', () => {
  const map = new PositionMap();
  const pages = 12 * 3600 * 5;
  const sizeBytes = (page: number) => 1200 + (page % 7) * 10;
  const ends: number[] = [];
  let bytes = 0;
  for (let page = 0; page < pages; page++) {
    bytes += sizeBytes(page);
    ends.push(bytes);
    map.add(bytes, (page + 1) * 200);
  }
  for (let page = 0; page < pages; page += 997)
    expect(Math.abs(map.msAt(ends[page] ?? 0) - (page + 1) * 200)).toBeLessThan(1000);
});
