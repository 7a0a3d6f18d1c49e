import { expect, test } from 'vitest';
import { MicrophoneSilence } from './microphone-silence.ts';

const rateHz = 48_000;
const frames = (ms: number): number => (ms * rateHz) / 1000;
const sound = (ms: number): Float32Array => new Float32Array(frames(ms)).fill(0.1);
const zeros = (ms: number): Float32Array => new Float32Array(frames(ms));

/** The silence in these pieces of sound, delivered in blocks whose ends are not those of the pieces. */
function silenceIn(pieces: readonly Float32Array[], silence = new MicrophoneSilence(false)): number | null {
  const all = Float32Array.from(pieces.flatMap((piece) => [...piece]));
  for (let at = 0; at < all.length; at += 441) silence.push([all.subarray(at, at + 441)], rateHz);
  return silence.totalMs;
}

test('counts the silence of a muted microphone while it lasts', () => {
  expect(silenceIn([sound(500), zeros(3000)])).toBe(3000);
  expect(silenceIn([sound(500), zeros(3000), sound(500), zeros(1000), sound(10)])).toBe(4000);
});

test('adds up the silence of a noise gate between words', () => {
  const words = Array.from({ length: 12 }, () => [sound(300), zeros(150)]).flat();
  expect(silenceIn(words)).toBe(12 * 150);
});

test('counts zeros from 20 ms on, in all channels', () => {
  expect(silenceIn([sound(50), zeros(19), sound(50), zeros(20), sound(50)])).toBe(20);
  const silence = new MicrophoneSilence(false);
  silence.push([zeros(100), sound(100)], rateHz);
  expect(silence.totalMs).toBe(0);
});

test('counts zeros of a device that is being opened only if it is still silent after a second', () => {
  expect(silenceIn([zeros(900), sound(100), zeros(40), sound(10)], new MicrophoneSilence(true))).toBe(40);
  expect(silenceIn([zeros(900)], new MicrophoneSilence(true))).toBe(0);
  expect(silenceIn([zeros(1200)], new MicrophoneSilence(true))).toBe(1200);
});

test('counts what 16 bits store as 0, such as the end of a browser’s filter, and no quieter sound than that', () => {
  expect(silenceIn([sound(50), zeros(100).fill(1e-5), zeros(100).fill(-1e-30)])).toBe(200);
  expect(silenceIn([sound(50), zeros(100).fill(2 ** -15)])).toBe(0);
});

test('does not join the silence before and after an interruption', () => {
  const silence = new MicrophoneSilence(false);
  silence.push([zeros(15)], rateHz);
  silence.restart();
  silence.push([zeros(15)], rateHz);
  expect(silence.totalMs).toBe(0);
});

test('measures sound of any rate', () => {
  const silence = new MicrophoneSilence(false);
  silence.push([zeros(100)], rateHz);
  silence.push([new Float32Array(4410)], 44_100);
  expect(silence.totalMs).toBe(200);
});

test('does not know anything before there was sound', () => {
  expect(new MicrophoneSilence(true).totalMs).toBe(null);
});
