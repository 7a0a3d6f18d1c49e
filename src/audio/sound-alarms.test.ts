import { expect, test } from 'vitest';
import { SoundAlarms } from './sound-alarms.ts';

const speech = { peak: 0.2, clipped: false };
const silence = { peak: 0, clipped: false };
const noise = { peak: 0.0009, clipped: false };

function alarmsOver(
  alarms: SoundAlarms,
  levelAt: (nowMs: number) => typeof speech | null,
  [fromMs, toMs]: [number, number],
) {
  let last = { silence: false, clipping: false };
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += 100) last = alarms.push(levelAt(nowMs), nowMs);
  return last;
}

test('raises the alarm after ten silent seconds, and ends it with the first sound', () => {
  const alarms = new SoundAlarms();
  expect(alarmsOver(alarms, () => silence, [0, 9900]).silence).toBe(false);
  expect(alarms.push(noise, 10_000).silence).toBe(true);
  expect(alarms.push(speech, 10_100).silence).toBe(false);
  expect(alarmsOver(alarms, () => noise, [10_200, 20_000]).silence).toBe(false);
});

test('does not report silence when there is an occasional word', () => {
  const alarms = new SoundAlarms();
  expect(alarmsOver(alarms, (nowMs) => (nowMs % 9000 === 0 ? speech : noise), [0, 60_000]).silence).toBe(
    false,
  );
});

test('raises the alarm for three clipped seconds out of ten, and ends it when they have passed', () => {
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

test('counts a second once, however often it clips', () => {
  expect(alarmsOver(new SoundAlarms(), () => ({ peak: 1, clipped: true }), [0, 900]).clipping).toBe(false);
});

test('restarts the wait for silence after a rest', () => {
  const alarms = new SoundAlarms();
  alarmsOver(alarms, () => silence, [0, 9900]);
  alarms.rest();
  expect(alarmsOver(alarms, () => silence, [10_000, 19_900]).silence).toBe(false);
  expect(alarms.push(silence, 20_000).silence).toBe(true);
});

test('does not take for silence what nothing measures, and ends the alarm when measuring ends', () => {
  const alarms = new SoundAlarms();
  expect(alarmsOver(alarms, () => null, [0, 60_000]).silence).toBe(false);
  expect(alarmsOver(alarms, () => silence, [60_100, 70_100]).silence).toBe(true);
  expect(alarmsOver(alarms, () => null, [70_200, 71_000]).silence).toBe(true);
  expect(alarmsOver(alarms, () => null, [71_100, 90_000]).silence).toBe(false);
  expect(alarmsOver(alarms, () => silence, [90_100, 100_000]).silence).toBe(false);
  expect(alarms.push(silence, 100_100).silence).toBe(true);
});

/** The level of every tenth of a second, as each way of recording measures it. */
const waysOfRecording = {
  'PCM of the track': (level: typeof speech) => level,
  'PCM of the worklet, in late blocks': (level: typeof speech, nowMs: number) =>
    nowMs % 500 === 0 ? level : null,
  'MediaRecorder beside a worklet': (level: typeof speech) => level,
  'MediaRecorder alone': () => null,
};

test.each([
  ['PCM of the track', 'speech', false],
  ['PCM of the track', 'silence', true],
  ['PCM of the track', 'noise', true],
  ['PCM of the worklet, in late blocks', 'speech', false],
  ['PCM of the worklet, in late blocks', 'silence', true],
  ['PCM of the worklet, in late blocks', 'noise', true],
  ['MediaRecorder beside a worklet', 'speech', false],
  ['MediaRecorder beside a worklet', 'silence', true],
  ['MediaRecorder beside a worklet', 'noise', true],
  ['MediaRecorder alone', 'speech', false],
  ['MediaRecorder alone', 'silence', false],
  ['MediaRecorder alone', 'noise', false],
] as const)('with %s, %s raises the silence alarm: %s', (way, signal, isRaised) => {
  const level = { speech, silence, noise }[signal];
  const measured = alarmsOver(new SoundAlarms(), (nowMs) => waysOfRecording[way](level, nowMs), [0, 30_000]);
  expect(measured.silence).toBe(isRaised);
});
