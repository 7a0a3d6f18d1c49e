import { expect, test } from 'vitest';
import type { Alarm } from '#workers/take/messages.ts';
import { AlarmFilter } from './alarm-filter.ts';

function filter() {
  let nowMs = 0;
  const shown: (readonly Alarm[])[] = [];
  const alarms = new AlarmFilter(
    (now) => {
      shown.push(now);
    },
    () => nowMs,
  );
  return {
    alarms,
    shown,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('shows an alarm from its start to its end', () => {
  const { alarms, shown } = filter();
  alarms.handle('silence', true);
  alarms.handle('clipping', true);
  alarms.handle('silence', false);
  expect(shown).toEqual([['silence'], ['silence', 'clipping'], ['clipping']]);
});

test('does not end a silence alarm because of its own signal', () => {
  const { alarms, shown, pass } = filter();
  alarms.handle('silence', true);
  alarms.signalled();
  pass(300);
  alarms.handle('silence', false);
  alarms.handleLevel(0.2);
  pass(3000);
  alarms.handleLevel(0.0001);
  expect(shown).toEqual([['silence']]);
  alarms.handle('silence', true);
  expect(shown).toEqual([['silence']]);
});

test('ends a silence alarm when a voice follows the signal', () => {
  const { alarms, shown, pass } = filter();
  alarms.handle('silence', true);
  alarms.signalled();
  pass(300);
  alarms.handle('silence', false);
  pass(3000);
  alarms.handleLevel(0.1);
  expect(shown).toEqual([['silence'], []]);
});
