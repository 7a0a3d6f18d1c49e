import { codeMs, codeOf, toneHz } from './coded-signal.ts';

/**
 * A part of a recording in which the signal continues without a break: its place in the recording, and its offset
 * in the signal.
 */
export interface Piece {
  fromMs: number;
  toMs: number;
  /** Time of the signal minus time of the recording. */
  offsetMs: number;
}

interface Run {
  code: number;
  fromMs: number;
  toMs: number;
}

const hopMs = 5;
const windowMs = 50;
const digitsPerBand = 9;
/** Two code borders whose offsets differ by less than this agree on the place in the signal. */
const sameOffsetMs = 14;
/** Audio is split where it is quieter than this for longer than the rounded edges between two codes. */
const silentBelow = 0.02;
const minSilenceMs = 20;

interface Ear {
  shape: Float64Array;
  heard: Float64Array;
  coefficients: number[];
}

const detectors = new Map<number, Ear>();

/** Returns the cached tables for a sample rate: a Hann window, and each tone's Goertzel coefficient. */
function earFor(rateHz: number): Ear {
  const known = detectors.get(rateHz);
  if (known) return known;
  const length = Math.round((rateHz * windowMs) / 1000);
  const ear = {
    shape: Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / length)),
    heard: new Float64Array(length),
    coefficients: toneHz.map((hz) => 2 * Math.cos((2 * Math.PI * hz) / rateHz)),
  };
  detectors.set(rateHz, ear);
  return ear;
}

/** Power of one tone (Goertzel). A plain loop, because it runs about ten million times per take. */
function tonePower(heard: Float64Array, coefficient: number): number {
  let one = 0;
  let two = 0;
  for (let i = 0; i < heard.length; i += 1) {
    const next = (heard[i] ?? 0) + coefficient * one - two;
    two = one;
    one = next;
  }
  return (one * one + two * two - coefficient * one * two) / (heard.length * heard.length);
}

/** Power of every tone in one window. */
function tonePowers(samples: Float32Array, from: number, { shape, heard, coefficients }: Ear): Float64Array {
  for (let i = 0; i < heard.length; i += 1) heard[i] = (shape[i] ?? 0) * (samples[from + i] ?? 0);
  return Float64Array.from(coefficients, (coefficient) => tonePower(heard, coefficient));
}

/** The code in a window, or null if its tones are not clear. */
function codeIn(powers: Float64Array): number | null {
  const digits: number[] = [];
  for (let band = 0; band * digitsPerBand < powers.length; band += 1) {
    const strengths = Array.from(powers.subarray(band * digitsPerBand, (band + 1) * digitsPerBand));
    const [best = 0, second = 0] = strengths.toSorted((a, b) => b - a);
    if (best < 2e-5 || best < 3 * second) return null;
    digits.push(strengths.indexOf(best));
  }
  return codeOf(digits);
}

interface Stretch {
  fromMs: number;
  toMs: number;
}

/** The ranges that are not silent, to 5 ms. */
function soundingStretches(samples: Float32Array, rateHz: number): Stretch[] {
  const hop = Math.round((rateHz * hopMs) / 1000);
  const stretches: Stretch[] = [];
  for (let from = 0; from < samples.length; from += hop) {
    const block = samples.subarray(from, from + hop);
    const rms = Math.sqrt(block.reduce((sum, sample) => sum + sample * sample, 0) / block.length);
    if (rms < silentBelow) continue;
    const fromMs = (from / rateHz) * 1000;
    const toMs = ((from + block.length) / rateHz) * 1000;
    const last = stretches.at(-1);
    if (last && fromMs - last.toMs < minSilenceMs) last.toMs = toMs;
    else stretches.push({ fromMs, toMs });
  }
  return stretches.filter(({ fromMs, toMs }) => toMs - fromMs >= minSilenceMs);
}

function runsIn(samples: Float32Array, rateHz: number, { fromMs, toMs }: Stretch): Run[] {
  const half = Math.round((rateHz * windowMs) / 2000);
  const ear = earFor(rateHz);
  const runs: Run[] = [];
  for (let atMs = fromMs + hopMs / 2; atMs < toMs; atMs += hopMs) {
    const code = codeIn(tonePowers(samples, Math.round((atMs * rateHz) / 1000) - half, ear));
    const last = runs.at(-1);
    if (code === null) continue;
    if (last && last.code === code && atMs - last.toMs <= 2 * hopMs) last.toMs = atMs;
    else runs.push({ code, fromMs: atMs, toMs: atMs });
  }
  return runs.filter((run) => run.toMs - run.fromMs >= 3 * hopMs);
}

interface Place {
  atMs: number;
  offsetMs: number;
}

/** The place in the signal that each border between neighbouring codes indicates. */
function bordersIn(runs: Run[]): Place[] {
  return runs.flatMap((run, i) => {
    const next = runs[i + 1];
    if (!next || next.code !== run.code + 1 || next.fromMs - run.toMs > 40) return [];
    const atMs = (run.toMs + next.fromMs) / 2;
    return [{ atMs, offsetMs: next.code * codeMs - atMs }];
  });
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Groups consecutive borders that agree. A single border that agrees with none is a cut that looks like a border,
 * and is dropped.
 */
function agreeing(borders: Place[]): Place[][] {
  const groups: Place[][] = [];
  for (const border of borders) {
    const last = groups.at(-1);
    if (
      last &&
      Math.abs(border.offsetMs - median(last.slice(-9).map(({ offsetMs }) => offsetMs))) <= sameOffsetMs
    )
      last.push(border);
    else groups.push([border]);
  }
  const sure = groups.filter(({ length }) => length > 1);
  return sure.length > 0 ? sure : groups.slice(0, 1);
}

function piecesIn(runs: Run[], stretch: Stretch): Piece[] {
  const groups = agreeing(bordersIn(runs));
  if (groups.length === 0) {
    const [only] = runs;
    return only ? [{ ...stretch, offsetMs: (only.code + 0.5) * codeMs - (only.fromMs + only.toMs) / 2 }] : [];
  }
  return groups.map((group, i) => {
    const [before, after] = [groups[i - 1]?.at(-1), groups[i + 1]?.[0]];
    return {
      offsetMs: median(group.map(({ offsetMs }) => offsetMs)),
      fromMs: before ? (before.atMs + (group[0]?.atMs ?? 0)) / 2 : stretch.fromMs,
      toMs: after ? ((group.at(-1)?.atMs ?? 0) + after.atMs) / 2 : stretch.toMs,
    };
  });
}

/** Decodes the codes in a recording. Returns its unbroken pieces in order, to about 10 ms. */
export function readCodes(samples: Float32Array, rateHz: number): Piece[] {
  return soundingStretches(samples, rateHz).flatMap((stretch) =>
    piecesIn(runsIn(samples, rateHz, stretch), stretch),
  );
}
