import { expect, test } from 'vitest';
import { SoundAlarms } from './sound-alarms.ts';

const speech = { peak: 0.2, clipped: false };
const silence = { peak: 0, clipped: false };
const noise = { peak: 0.0009, clipped: false };

function alarmsOver(
  alarms: SoundAlarms,
  levelAt: (nowMs: number) => typeof speech,
  [fromMs, toMs]: [number, number],
) {
  let last = { silence: false, clipping: false };
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += 100) last = alarms.push(levelAt(nowMs), nowMs);
  return last;
}

test('ten seconds in which nothing is heard raise the alarm, and the first sound ends it', () => {
  const alarms = new SoundAlarms();
  expect(alarmsOver(alarms, () => silence, [0, 9900]).silence).toBe(false);
  expect(alarms.push(noise, 10_000).silence).toBe(true);
  expect(alarms.push(speech, 10_100).silence).toBe(false);
  expect(alarmsOver(alarms, () => noise, [10_200, 20_000]).silence).toBe(false);
});

test('a word now and then is no silence', () => {
  const alarms = new SoundAlarms();
  expect(alarmsOver(alarms, (nowMs) => (nowMs % 9000 === 0 ? speech : noise), [0, 60_000]).silence).toBe(
    false,
  );
});

test('three clipped seconds of the last ten raise the alarm; it ends when they are past', () => {
  const alarms = new SoundAlarms();
  const loudIn = (seconds: number[]) => (nowMs: number) => ({
    peak: 1,
    clipped: seconds.includes(nowMs / 1000),
  });
  expect(alarmsOver(alarms, loudIn([1, 5]), [0, 6000]).clipping).toBe(false);
  expect(alarmsOver(alarms, loudIn([7]), [6100, 7000]).clipping).toBe(true);
  expect(alarmsOver(alarms, () => speech, [7100, 10_900]).clipping).toBe(true);
  expect(alarmsOver(alarms, () => speech, [11_000, 11_500]).clipping).toBe(false);
});

test('one loud second is one, however often it clips', () => {
  expect(alarmsOver(new SoundAlarms(), () => ({ peak: 1, clipped: true }), [0, 900]).clipping).toBe(false);
});

test('after a rest silence begins again', () => {
  const alarms = new SoundAlarms();
  alarmsOver(alarms, () => silence, [0, 9900]);
  alarms.rest();
  expect(alarmsOver(alarms, () => silence, [10_000, 19_900]).silence).toBe(false);
  expect(alarms.push(silence, 20_000).silence).toBe(true);
});
