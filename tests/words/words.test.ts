import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countWordErrors } from '#server/features/speech-models/trial/word-errors.ts';
import { createEmbeddedTranscriber } from '#server/transcribers/embedded/embedded-transcriber.ts';
import type { HeardChunk, SegmentSound } from '#server/transcribers/transcriber.ts';
import { type RealModel, realModel } from './real-model.ts';

const jfkText =
  'And so my fellow Americans ask not what your country can do for you ask what you can do for your country';
const readingText =
  'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of light, it was the season of darkness, it was the spring of hope, it was the winter of despair, we had everything before us, we had nothing before us, we were all going direct to heaven, we were all going direct the other way, in short, the period was so far like the present period, that some of its noisiest authorities insisted on its being received, for good or for evil, in the superlative degree of comparison only.';
const wordCount = (text: string): number => text.split(' ').length;

const real = await realModel();
if (typeof real === 'string') {
  if (process.env['WORDS_REQUIRED'] === '1') throw new Error(real);
  console.log(`Skipped: ${real}.`);
}

/** Sound at 48 kHz as PCM at 16 kHz. */
function resampled(wave: Buffer): Int16Array {
  const pcm = new Int16Array(wave.buffer.slice(wave.byteOffset + 44, wave.byteOffset + wave.length));
  const half = 24;
  const taps = Array.from({ length: 2 * half + 1 }, (_, index) => {
    const x = index - half;
    const sinc = x === 0 ? 1 : Math.sin((Math.PI * x) / 3) / ((Math.PI * x) / 3);
    return (sinc / 3) * (0.5 + 0.5 * Math.cos((Math.PI * x) / (half + 1)));
  });
  return Int16Array.from({ length: Math.floor(pcm.length / 3) }, (_, index) =>
    Math.round(taps.reduce((sum, tap, place) => sum + tap * (pcm[3 * index + place - half] ?? 0), 0)),
  );
}

const pcmOf = (samples: Int16Array): SegmentSound => ({
  startMs: 0,
  fromMs: 0,
  toMs: Math.floor(samples.length / 16),
  audio: {
    kind: 'pcm',
    async *open(fromMs) {
      yield new Uint8Array(samples.buffer).subarray(fromMs * 32);
    },
  },
});

const children = (): string[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('listen.process'))
    .map((line) => line.trim().split(' ')[0] ?? '');

const transcriber = createEmbeddedTranscriber({ threads: 1 });
let loaded: RealModel;

beforeAll(() => {
  if (typeof real !== 'string') loaded = real;
});
afterAll(() => transcriber.close());

async function hear(
  sound: SegmentSound,
  afterChunk: (chunks: readonly HeardChunk[]) => void = () => undefined,
): Promise<HeardChunk[]> {
  const chunks: HeardChunk[] = [];
  await transcriber.transcribe(sound, {
    model: loaded.model,
    language: 'en',
    cutsMs: [],
    signal: new AbortController().signal,
    async onChunk(chunk) {
      chunks.push(chunk);
      afterChunk(chunks);
    },
  });
  return chunks;
}

const textOf = (chunks: readonly HeardChunk[]): string =>
  chunks.flatMap(({ words }) => words.map(({ text }) => text)).join(' ');

describe.skipIf(typeof real === 'string')('with the weights of Whisper base', () => {
  test('at most one word of a noisy speech of 1961 is wrong', async () => {
    const bytes = readFileSync(new URL('../fixtures/jfk-1961.opus', import.meta.url));
    const read = async (from: number, to: number): Promise<Uint8Array> => bytes.subarray(from, to);
    const audio = { kind: 'ogg', sizeBytes: bytes.length, read } as const;
    const chunks = await hear({ startMs: 0, fromMs: 0, toMs: 11_006, audio });
    expect(chunks.every(({ timing }) => timing === 'word')).toBe(true);
    expect(countWordErrors(textOf(chunks), jfkText)).toBeLessThanOrEqual(1);
  });

  test('at most one word of twenty of a reading is wrong, with little memory and time', async () => {
    const samples = resampled(loaded.reading);
    const chunks = await hear(pcmOf(samples));
    const wrong = countWordErrors(textOf(chunks), readingText);
    const [child = ''] = children();
    const status = readFileSync(`/proc/${child}/status`, 'utf8');
    const memoryMiB = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    const ticks = readFileSync(`/proc/${child}/stat`, 'utf8').split(' ').slice(13, 15).map(Number);
    const cpuSeconds = ticks.reduce((sum, tick) => sum + tick, 0) / 100;
    console.log(
      `${wrong} of ${wordCount(readingText)} words wrong; ${Math.round(memoryMiB)} MiB; ${cpuSeconds} s of CPU for 55 s`,
    );
    expect(wrong).toBeLessThanOrEqual(wordCount(readingText) / 20);
    expect(memoryMiB).toBeLessThan(800);
  });

  test('no word is lost or said twice if the process is killed after each chunk', async () => {
    const samples = resampled(loaded.reading);
    const killed = await hear(pcmOf(samples), () => {
      for (const pid of children()) process.kill(Number(pid), 'SIGKILL');
    });
    const words = textOf(killed).split(' ').length;
    expect(Math.abs(words - wordCount(readingText))).toBeLessThanOrEqual(2);
    expect(countWordErrors(textOf(killed), readingText)).toBeLessThanOrEqual(wordCount(readingText) / 20);
  });

  test('silence has no words', async () => {
    expect(await hear(pcmOf(new Int16Array(60 * 16_000)))).toEqual([]);
  });
});
