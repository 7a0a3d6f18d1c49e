import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Label } from '#base/labels/label.ts';
import { readLabels } from '#base/labels/read-labels.ts';
import { newMarkerSchema } from '#contract/markers-api.ts';
import { newNoteSchema } from '#contract/notes-api.ts';
import { numberTexts } from '#tests/support/fuzz/damaged-requests.ts';
import { planImport } from './plan-import.ts';

const files = [
  {
    name: 'WebVTT',
    text: 'WEBVTT\n\nmarker blue #1\n00:00:01.500 --> 00:00:02.500\nOne &#65; &#x42;\n\n2\n01:02.003 --> 01:04.000\nTwo\n',
  },
  { name: 'Audacity labels', text: '1.500000\t1.500000\tOne\tmarker blue\n2,5\t3,75\tTwo\n' },
  { name: 'CSV', text: 'start,end,label,kind,colour\n00:00:01.500,,One,marker,blue\n2.5,3.75,Two,note,\n' },
];
const durationMs = 3_600_000;

const isWhole = (atMs: number): boolean => Number.isSafeInteger(atMs) && atMs >= 0;

/** The validation errors of the server for a label. */
function issuesOf({ kind, atMs, endMs, text, colour }: Label): unknown {
  const id = '01a21293-e5cc-73be-bc18-a67bbb412e85';
  const taken =
    kind === 'marker'
      ? newMarkerSchema.safeParse({ id, atMs, label: text, colour: colour ?? undefined })
      : newNoteSchema.safeParse({ id, fromMs: atMs, toMs: endMs, text });
  return taken.error?.issues;
}

/** The text with the numbers at these positions replaced. */
function withNumbers(text: string, damages: readonly { place: number; value: string }[]): string {
  const count = text.match(/\d+/g)?.length ?? 1;
  const values = new Map(damages.map(({ place, value }) => [place % count, value]));
  let place = -1;
  return text.replaceAll(/\d+/g, (number) => values.get((place += 1)) ?? number);
}

describe.each(files)('a label file with damaged numbers: $name', ({ text }) => {
  const damage = fc.record({
    place: fc.nat(40),
    value: fc.oneof(
      fc.constantFrom(...numberTexts, '55296', 'xD800', 'xDFFF', 'x110000'),
      fc.bigInt().map(String),
      fc.double().map(String),
    ),
  });

  test('reads every label at a whole millisecond or rejects its line, and offers only valid labels', () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        const read = readLabels(withNumbers(text, damages));
        for (const { atMs, endMs } of read.labels)
          expect(isWhole(atMs) && (endMs === null || (isWhole(endMs) && endMs > atMs))).toBe(true);
        for (const { line } of read.rejected) expect(line).toBeGreaterThan(0);
        for (const label of planImport(read, [], durationMs).fresh) {
          expect(issuesOf(label)).toBeUndefined();
          expect(label.text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

test('reads a WebVTT reference to half a surrogate pair as the replacement character', () => {
  const { labels } = readLabels('WEBVTT\n\n00:01.000 --> 00:02.000\nA&#xD83D;B&#56835;C\n');
  expect(labels.map((label) => label.text)).toEqual(['A\uFFFDB\uFFFDC']);
});
