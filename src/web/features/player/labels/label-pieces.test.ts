import { expect, it } from 'vitest';
import type { Label } from '#base/labels/label.ts';
import { limits } from '#contract/limits.ts';
import { inPieces } from './label-pieces.ts';

const label = (text: string, atMs = 0): Label => ({ kind: 'note', atMs, endMs: null, text, colour: null });

it('puts as many labels into a request as the limit allows', () => {
  const labels = Array.from({ length: 2 * limits.labelsTogether + 1 }, (_, index) => label('a', index));
  const pieces = inPieces(labels);
  expect(pieces.map((piece) => piece.length)).toEqual([limits.labelsTogether, limits.labelsTogether, 1]);
  expect(pieces.flat()).toEqual(labels);
  expect(inPieces([])).toEqual([]);
});

it('keeps every request below the size limit, whatever characters the labels contain', () => {
  const labels = Array.from({ length: 300 }, (_, index) =>
    label((index % 2 === 0 ? '\u0001' : '"').repeat(index * 50), index),
  );
  const pieces = inPieces(labels);
  expect(Math.max(...pieces.map((piece) => Buffer.byteLength(JSON.stringify(piece))))).toBeLessThan(
    limits.bulkBodySizeBytes,
  );
  expect(pieces.flat()).toEqual(labels);
});
