import { expect, test } from 'vitest';
import { byProcessorTime, type TraceEvent } from '../../bench/processor-time.ts';

const event = (fields: Partial<TraceEvent>): TraceEvent => ({
  name: 'RunTask',
  ph: 'X',
  pid: 1,
  tid: 1,
  ts: 0,
  ...fields,
});

test('gives a task its processor time and shortens what is in it alike', () => {
  const found = byProcessorTime([
    event({ ts: 1000, dur: 40_000, tdur: 10_000 }),
    event({ name: 'Layout', ts: 5000, dur: 8000, tdur: 2000 }),
    event({ name: 'ResourceSendRequest', ph: 'I', ts: 21_000 }),
    event({ ts: 50_000, dur: 3000, tdur: 3000 }),
  ]);
  expect(found.map(({ ts, dur }) => [ts, dur])).toEqual([
    [1000, 10_000],
    [2000, 2000],
    [6000, undefined],
    [50_000, 3000],
  ]);
});

test('leaves marks, other threads and events between tasks where they are', () => {
  const others = [
    event({ name: 'firstContentfulPaint', ph: 'R', ts: 5000 }),
    event({ name: 'Layout', tid: 2, ts: 5000, dur: 10 }),
    event({ name: 'ResourceFinish', ph: 'I', ts: 45_000 }),
  ];
  const found = byProcessorTime([event({ ts: 1000, dur: 40_000, tdur: 10_000 }), ...others]);
  expect(found.slice(1)).toEqual(others);
});
