import { expect, test } from 'vitest';
import { HoleReader, maxHoles } from './placed-sound.ts';

const read = (pieces: readonly string[]): HoleReader => {
  const reader = new HoleReader();
  for (const piece of pieces) reader.push(piece);
  return reader;
};
const hole = '-1.000000\n3.000000\n13.000000\n10.000000\n';

test('reads holes from a log that arrives in any pieces, between other lines', () => {
  const expected = [{ fromMs: 3000, toMs: 13_000, isSudden: true }];
  expect(read([hole]).holes).toEqual(expected);
  expect(read(hole.split('')).holes).toEqual(expected);
  expect(read([`[aac @ 0x55] broken\n${hole}12.5\n7.5\nname: 3.0\n`]).holes).toEqual(expected);
});

test('tells a hole between two frames from clocks that drift apart', () => {
  expect(read(['-1.000000\n60.000000\n60.052000\n0.001000\n']).holes).toEqual([
    { fromMs: 60_000, toMs: 60_052, isSudden: false },
  ]);
});

test('counts all holes, but lists a limited number', () => {
  const { holes, totalMs } = read([hole.repeat(maxHoles + 5)]);
  expect([holes.length, totalMs]).toEqual([maxHoles, (maxHoles + 5) * 10_000]);
});
