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

test('an alarm is shown from when it is told until it ends', () => {
  const { alarms, shown } = filter();
  alarms.hear('silence', true);
  alarms.hear('clipping', true);
  alarms.hear('silence', false);
  expect(shown).toEqual([['silence'], ['silence', 'clipping'], ['clipping']]);
});

test('our own signal does not end the silence it warns of', () => {
  const { alarms, shown, pass } = filter();
  alarms.hear('silence', true);
  alarms.signalled();
  pass(300);
  alarms.hear('silence', false);
  alarms.hearLevel(0.2);
  pass(3000);
  alarms.hearLevel(0.0001);
  expect(shown).toEqual([['silence']]);
  alarms.hear('silence', true);
  expect(shown).toEqual([['silence']]);
});

test('a voice after our own signal ends it', () => {
  const { alarms, shown, pass } = filter();
  alarms.hear('silence', true);
  alarms.signalled();
  pass(300);
  alarms.hear('silence', false);
  pass(3000);
  alarms.hearLevel(0.1);
  expect(shown).toEqual([['silence'], []]);
});
