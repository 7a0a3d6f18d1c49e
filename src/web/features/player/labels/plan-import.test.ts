import { expect, test } from 'vitest';
import { readLabels } from '#base/labels/read-labels.ts';
import { toVtt } from '#base/labels/vtt.ts';
import type { Label } from '#base/labels/label.ts';
import { limits } from '#contract/limits.ts';
import { planImport } from './plan-import.ts';

const marker = (atMs: number, text: string): Label => ({
  kind: 'marker',
  atMs,
  endMs: null,
  text,
  colour: 'green',
});
const csv = (...rows: string[]) => readLabels(`start,end,label,kind,colour\n${rows.join('\n')}\n`);

test('skips labels that already exist, and reports those that the file repeats', () => {
  const present = [marker(1000, 'One'), marker(2000, 'Two')];
  const plan = planImport(
    readLabels(toVtt([...present, marker(3000, 'Three'), marker(3000, 'Three')])),
    present,
    10_000,
  );
  expect([plan.fresh, plan.known]).toEqual([[marker(3000, 'Three')], 2]);
  expect(plan.rejected.map(({ reason }) => reason)).toEqual(['repeated']);
});

test('reports each rejected label with its line and reason', () => {
  const plan = planImport(
    csv(
      '1,,Fine,marker,blue',
      'soon,,No time,,',
      '99,,Late,,',
      `2,,${'x'.repeat(limits.markerLabelLength + 1)},marker,`,
      '3,4,,note,',
    ),
    [],
    10_000,
  );
  expect(plan.fresh).toHaveLength(1);
  expect(plan.rejected).toEqual([
    { line: 3, reason: 'time' },
    { line: 4, reason: 'beyond-end' },
    { line: 5, reason: 'too-long' },
    { line: 6, reason: 'empty' },
  ]);
});

test('makes marker names one line, keeps lines in notes, and removes bidirectional controls', () => {
  const plan = planImport(csv('1,,"a\nb\u202Ec",marker,', '2,3,"a\r\nb",note,'), [], 10_000);
  expect(plan.fresh.map(({ text }) => text)).toEqual(['a bc', 'a\nb']);
});

test('rejects labels above the limit of a recording', () => {
  const present = Array.from({ length: limits.markersPerRecording - 1 }, (_, index) =>
    marker(index, String(index)),
  );
  const plan = planImport(csv('1,,new one,,', '2,,new two,,'), present, 20_000);
  expect([plan.fresh.length, plan.rejected]).toEqual([1, [{ line: 3, reason: 'too-many' }]]);
});

test('rejects times whose hours a spreadsheet dropped, unless the recording is under an hour', () => {
  const hourMs = 3_600_000;
  const read = csv('59:50.0,,Before,marker,', '02:03.5,,Behind,marker,', '01:10:00,,Whole,marker,');
  const long = planImport(read, [{ ...marker(123_500, 'Behind'), colour: null }], 2 * hourMs);
  expect([long.fresh.map(({ atMs }) => atMs), long.known, long.rejected]).toEqual([
    [hourMs + 600_000],
    0,
    [
      { line: 2, reason: 'hours' },
      { line: 3, reason: 'hours' },
    ],
  ]);
  const short = planImport(csv('59:50.0,,One,marker,', '02:03.5,,Two,marker,'), [], hourMs - 1);
  expect([short.fresh.map(({ atMs }) => atMs), short.rejected]).toEqual([[3_590_000, 123_500], []]);
});
