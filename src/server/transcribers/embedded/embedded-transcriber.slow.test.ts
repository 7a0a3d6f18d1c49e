import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isEngineInstalled } from '#server/transcribers/listening/engine-package.ts';
import {
  type HeardChunk,
  type SegmentSound,
  type SpeechModel,
  type Transcriber,
  TranscriberError,
  type TranscriptionRequest,
} from '#server/transcribers/transcriber.ts';
import { patchAttention } from '#server/transcribers/attention/patch-attention.ts';
import { toyFile, toyWhisper } from '#tests/support/toy-whisper.ts';
import { createEmbeddedTranscriber } from './embedded-transcriber.ts';

const jfk = readFileSync(new URL('../../../../tests/fixtures/jfk-1961.opus', import.meta.url));
const wave = readFileSync(new URL('../../../../tests/fixtures/jfk-1961.wav', import.meta.url));
const jfkMs = 11_006;

const transcriberOf = (): Transcriber => {
  const transcriber = createEmbeddedTranscriber({ threads: 1 });
  onTestFinished(() => transcriber.close());
  return transcriber;
};

/** The recording, as a segment that starts at a moment of the timeline. */
const oggOf = (
  bytes: Uint8Array,
  { startMs = 0, fromMs = startMs, toMs = startMs + jfkMs }: Partial<SegmentSound> = {},
): SegmentSound => ({
  startMs,
  fromMs,
  toMs,
  audio: {
    kind: 'ogg',
    sizeBytes: bytes.length,
    read: async (startByte, endByteExclusive) => bytes.subarray(startByte, endByteExclusive),
  },
});

/** PCM at 16 kHz as sound of a segment. */
const pcmOf = (samples: Int16Array, pieceBytes = 32_000): SegmentSound => ({
  startMs: 0,
  fromMs: 0,
  toMs: samples.length / 16,
  audio: {
    kind: 'pcm',
    async *open(fromMs) {
      const bytes = new Uint8Array(samples.buffer).subarray(fromMs * 32);
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
  },
});

/** The speech of the test's WAV file, at 16 kHz. */
function jfkSamples(): Int16Array {
  const pcm = new Int16Array(wave.buffer.slice(wave.byteOffset + 44, wave.byteOffset + wave.length));
  const step = wave.readUInt32LE(24) / 16_000;
  return Int16Array.from({ length: Math.floor(pcm.length / step) }, (_, index) => pcm[index * step] ?? 0);
}

interface Heard {
  chunks: HeardChunk[];
  cursorMs: number;
}

async function hear(
  transcriber: Transcriber,
  sound: SegmentSound,
  options: { model: SpeechModel } & Partial<Omit<TranscriptionRequest, 'model'>>,
): Promise<Heard> {
  const heard: Heard = { chunks: [], cursorMs: sound.fromMs };
  await transcriber.transcribe(sound, {
    language: 'en',
    cutsMs: [],
    signal: new AbortController().signal,
    ...options,
    async onChunk(chunk, heardToMs) {
      heard.chunks.push(chunk);
      heard.cursorMs = heardToMs;
      await options.onChunk?.(chunk, heardToMs);
    },
  });
  return heard;
}

const textOf = ({ words }: HeardChunk): string => words.map(({ text }) => text).join(' ');
const spansOf = ({ chunks }: Heard): [number, number][] => chunks.map(({ fromMs, toMs }) => [fromMs, toMs]);

/** Fills sound with quiet noise. */
const noiseOf = (seconds: number, amplitude: number): Int16Array => {
  let last = 0;
  let seed = 1;
  return Int16Array.from({ length: seconds * 16_000 }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    last = 0.95 * last + 0.05 * (seed / 1_073_741_823.5 - 1);
    return Math.round(last * 6 * amplitude * 32_767);
  });
};

describe.skipIf(!isEngineInstalled())('with the engine (else: sherpa-onnx-node is not installed)', () => {
  test('hears speech, in words with times inside the speech', async () => {
    const { chunks, cursorMs } = await hear(transcriberOf(), oggOf(jfk, { startMs: 5000 }), {
      model: toyWhisper(),
    });
    expect(chunks.map(textOf)).toEqual(['the quick brown fox jumps.']);
    const [chunk] = chunks;
    expect(chunk).toMatchObject({ language: 'en', timing: 'word', doubt: null, cause: null });
    expect(chunk?.fromMs).toBeGreaterThanOrEqual(5000);
    expect(chunk?.fromMs).toBeLessThan(5400);
    expect(cursorMs).toBe(chunk?.toMs);
    let earliestMs = chunk?.fromMs ?? 0;
    for (const word of chunk?.words ?? []) {
      expect(word.fromMs).toBeGreaterThanOrEqual(earliestMs);
      earliestMs = word.toMs;
    }
    expect(earliestMs).toBeLessThanOrEqual(chunk?.toMs ?? 0);
  });

  test('finds all speech of a noisy recording, also the quiet words', async () => {
    const { chunks } = await hear(transcriberOf(), oggOf(jfk), { model: toyWhisper() });
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.fromMs).toBeLessThan(300);
    expect(chunks[0]?.toMs).toBeGreaterThan(10_400);
  });

  test('hears PCM as it hears a file', async () => {
    const transcriber = transcriberOf();
    const model = toyWhisper();
    const { chunks } = await hear(transcriber, pcmOf(jfkSamples(), 4001), { model });
    expect(chunks.map(textOf)).toEqual(['the quick brown fox jumps.']);
    expect(chunks[0]?.toMs).toBeGreaterThan(10_400);
  });

  test('no chunk crosses a cut, and nothing at or after the end is heard', async () => {
    const { chunks } = await hear(transcriberOf(), oggOf(jfk, { toMs: 9000 }), {
      model: toyWhisper(),
      cutsMs: [4100, 6000],
    });
    const spans = spansOf({ chunks, cursorMs: 0 });
    expect(spans.length).toBeGreaterThanOrEqual(3);
    for (const [fromMs, toMs] of spans) {
      expect(toMs).toBeLessThanOrEqual(9000);
      for (const cutMs of [4100, 6000]) expect(fromMs < cutMs && cutMs < toMs).toBe(false);
    }
  });

  test('a transcription that continues after any chunk says the same as one without an end', async () => {
    const transcriber = transcriberOf();
    const model = toyWhisper();
    // Six times the speech: more than a chunk holds.
    const once = jfkSamples();
    const samples = new Int16Array(6 * once.length);
    for (let time = 0; time < 6; time++) samples.set(once, time * once.length);
    const sound = pcmOf(samples);
    const whole = await hear(transcriber, sound, { model, cutsMs: [17_000] });
    expect(whole.chunks.length).toBeGreaterThan(2);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), async (ends) => {
        const chunks: HeardChunk[] = [];
        let cursorMs = 0;
        for (let isOver = false; !isOver;) {
          const aborted = new Error('the slice is over');
          await hear(
            transcriber,
            { ...sound, fromMs: cursorMs },
            {
              model,
              cutsMs: [17_000],
              async onChunk(chunk, heardToMs) {
                chunks.push(chunk);
                cursorMs = heardToMs;
                if (ends[chunks.length] === true) throw aborted;
              },
            },
          ).then(
            () => {
              isOver = true;
            },
            (error: unknown) => {
              if (error !== aborted) throw error;
            },
          );
        }
        expect(chunks.map(textOf)).toEqual(whole.chunks.map(textOf));
        for (const [index, { fromMs, toMs }] of chunks.entries()) {
          // The detector remembers more than the two seconds that it hears again.
          expect(Math.abs(fromMs - (whole.chunks[index]?.fromMs ?? 0))).toBeLessThan(100);
          expect(Math.abs(toMs - (whole.chunks[index]?.toMs ?? 0))).toBeLessThan(100);
        }
      }),
      { numRuns: 2 },
    );
  });

  test('a file is heard from any cursor on, by reading only the bytes around', async () => {
    const sound = oggOf(jfk, { fromMs: 7600, toMs: 9000 });
    let readBytes = 0;
    const { audio } = sound;
    if (audio.kind !== 'ogg') throw new Error('not a file');
    const read = async (startByte: number, endByteExclusive: number): Promise<Uint8Array> => {
      readBytes += endByteExclusive - startByte;
      return audio.read(startByte, endByteExclusive);
    };
    const { chunks } = await hear(
      transcriberOf(),
      { ...sound, audio: { ...audio, read } },
      { model: toyWhisper() },
    );
    expect(chunks[0]?.fromMs).toBeGreaterThanOrEqual(7600);
    expect(chunks.at(-1)?.toMs).toBeLessThanOrEqual(9000);
    // The headers and the end are always read. The recording has 66 kB.
    expect(readBytes).toBeLessThan(3 * jfk.length);
  });

  test('silence and noise give no words; noise is reported as sound without speech', async () => {
    const transcriber = transcriberOf();
    const model = toyWhisper();
    expect(await hear(transcriber, pcmOf(new Int16Array(60 * 16_000)), { model })).toEqual({
      chunks: [],
      cursorMs: 0,
    });
    const { chunks } = await hear(transcriber, pcmOf(noiseOf(60, 0.1)), { model });
    expect(chunks.length).toBeGreaterThan(0);
    for (const chunk of chunks) expect(chunk).toMatchObject({ words: [], cause: 'no-speech' });
  });

  test('hears sound without speech if it is asked to, in chunks of at most 28 s', async () => {
    const { chunks } = await hear(transcriberOf(), pcmOf(noiseOf(60, 0.1)), {
      model: toyWhisper(),
      hearsAll: true,
    });
    expect(chunks.map(textOf)).toEqual(chunks.map(() => 'the quick brown fox jumps.'));
    expect(chunks[0]?.fromMs).toBe(0);
    expect(chunks.at(-1)?.toMs).toBe(60_000);
    for (const { fromMs, toMs } of chunks) expect(toMs - fromMs).toBeLessThanOrEqual(28_000);
  });

  test('marks words that repeat themselves', async () => {
    const { chunks } = await hear(transcriberOf(), oggOf(jfk), {
      model: toyWhisper({ tokens: [' go', ' on', ' go', ' on', ' go', ' on'] }),
    });
    expect(chunks).toMatchObject([{ doubt: 'loop', words: { length: 12 } }]);
  });

  test('joins tokens that end within a character', async () => {
    const bytes = new TextEncoder().encode('日本');
    const { chunks } = await hear(transcriberOf(), oggOf(jfk), {
      model: toyWhisper({
        tokens: [bytes.subarray(0, 2), bytes.subarray(2, 4), bytes.subarray(4), '語', 'です', '。'],
      }),
    });
    expect(chunks.map(({ words }) => words.map(({ text }) => text).join(''))).toEqual(['日本語です。']);
    expect(chunks[0]?.words.length).toBeGreaterThan(1);
  });

  test('without times from the model, words share the time of the speech', async () => {
    const plain = toyFile('decoder-without-attention');
    const { chunks } = await hear(transcriberOf(), oggOf(jfk), { model: toyWhisper({ decoder: plain }) });
    expect(chunks.map(textOf)).toEqual(['the quick brown fox jumps.']);
    expect(chunks).toMatchObject([{ timing: 'chunk' }]);
    const patched = Buffer.concat([plain, patchAttention(plain) ?? new Uint8Array(0)]);
    expect(await hear(transcriberOf(), oggOf(jfk), { model: toyWhisper({ decoder: patched }) })).toEqual(
      await hear(transcriberOf(), oggOf(jfk), { model: toyWhisper() }),
    );
  });

  test('lets the model guess the language, and refuses one that it does not know', async () => {
    const transcriber = transcriberOf();
    const model = toyWhisper();
    const { chunks } = await hear(transcriber, oggOf(jfk), { model, language: null });
    expect(chunks.map(textOf)).toEqual(['the quick brown fox jumps.']);
    expect((await hear(transcriber, oggOf(jfk), { model, language: 'de' })).chunks).toHaveLength(1);
    await expect(hear(transcriber, oggOf(jfk), { model, language: 'tlh' })).rejects.toMatchObject({
      problem: 'language-unsupported',
    });
  });

  test('a damaged model is reported with what the engine says', async () => {
    const model = toyWhisper({ decoder: toyFile('decoder').subarray(0, 3000) });
    const error = await hear(transcriberOf(), oggOf(jfk), { model }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TranscriberError);
    expect(error).toMatchObject({ problem: 'model-broken' });
  });

  test('aborting ends the process, and rejects with the reason', async () => {
    const transcriber = transcriberOf();
    const controller = new AbortController();
    const reason = new Error('stopped by the user');
    const sound = oggOf(jfk);
    const before = childrenOfThis();
    const read = (): Promise<Uint8Array> => {
      controller.abort(reason);
      return Promise.withResolvers<Uint8Array>().promise;
    };
    const stuck: SegmentSound = { ...sound, audio: { kind: 'ogg', sizeBytes: jfk.length, read } };
    const options = { model: toyWhisper(), signal: controller.signal };
    await expect(hear(transcriber, stuck, options)).rejects.toBe(reason);
    expect(childrenOfThis()).toEqual(before);
    await expect(hear(transcriber, sound, options)).rejects.toBe(reason);
    expect((await hear(transcriber, sound, { model: options.model })).chunks).toHaveLength(1);
  });

  test('aborting between two chunks leaves the process ready for the next transcription', async () => {
    const transcriber = transcriberOf();
    const controller = new AbortController();
    const reason = new Error('the slice is over');
    const model = toyWhisper();
    const heard: string[] = [];
    await expect(
      hear(transcriber, oggOf(jfk), {
        model,
        cutsMs: [5000],
        signal: controller.signal,
        async onChunk(chunk) {
          heard.push(textOf(chunk));
          controller.abort(reason);
        },
      }),
    ).rejects.toBe(reason);
    expect(heard).toHaveLength(1);
    const [child] = childrenOfThis();
    expect(child).toBeDefined();
    await hear(transcriber, oggOf(jfk), { model });
    expect(childrenOfThis()).toContain(child);
  });

  test('one process serves many transcriptions, and ends after a rest', async () => {
    const transcriber = createEmbeddedTranscriber({ threads: 1, restMs: 50 });
    onTestFinished(() => transcriber.close());
    const model = toyWhisper();
    const before = childrenOfThis();
    const both = Promise.all([
      hear(transcriber, oggOf(jfk), { model }),
      hear(transcriber, oggOf(jfk), {
        model,
        async onChunk() {
          expect(childrenOfThis()).toHaveLength(before.length + 1);
        },
      }),
    ]);
    const [first, second] = await both;
    expect(first).toEqual(second);
    await vi.waitFor(() => expect(childrenOfThis()).toEqual(before), { timeout: 20_000 });
  });

  test('a chunk that ends the process is heard again', async () => {
    const sound = oggOf(jfk);
    let kills = 0;
    const { audio } = sound;
    if (audio.kind !== 'ogg') throw new Error('not a file');
    const read = async (startByte: number, endByteExclusive: number): Promise<Uint8Array> => {
      if (kills++ === 0) killChildren();
      return audio.read(startByte, endByteExclusive);
    };
    const killed = await hear(
      transcriberOf(),
      { ...sound, audio: { ...audio, read } },
      { model: toyWhisper() },
    );
    expect(killed).toEqual(await hear(transcriberOf(), sound, { model: toyWhisper() }));
  });

  test('a chunk that ends the process twice is a hole, and the next one is heard', async () => {
    const sound = oggOf(jfk);
    const { audio } = sound;
    if (audio.kind !== 'ogg') throw new Error('not a file');
    let kills = 0;
    const read = async (startByte: number, endByteExclusive: number): Promise<Uint8Array> => {
      if (kills < 2) {
        kills += 1;
        killChildren();
      }
      return audio.read(startByte, endByteExclusive);
    };
    const { chunks } = await hear(
      transcriberOf(),
      { ...sound, audio: { ...audio, read } },
      { model: toyWhisper(), cutsMs: [5000] },
    );
    expect(chunks[0]).toEqual({
      fromMs: 0,
      toMs: 5000,
      language: null,
      timing: 'chunk',
      words: [],
      doubt: null,
      cause: 'engine-died',
    });
    expect(chunks.slice(1).map(textOf)).toContain('the quick brown fox jumps.');
  });

  test('an error of the store or of the caller ends the transcription with that error', async () => {
    const transcriber = transcriberOf();
    const model = toyWhisper();
    const lost = new Error('the disk is gone');
    const sound = oggOf(jfk);
    const read = () => Promise.reject(lost);
    await expect(
      hear(transcriber, { ...sound, audio: { kind: 'ogg', sizeBytes: jfk.length, read } }, { model }),
    ).rejects.toBe(lost);
    expect((await hear(transcriber, sound, { model })).chunks).toHaveLength(1);
  });
});

function childrenOfThis(): string[] {
  const found = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return found
    .split('\n')
    .filter((line) => line.includes('listen.process'))
    .map((line) => line.trim().split(' ')[0] ?? '');
}

const killChildren = (): void => {
  for (const pid of childrenOfThis()) process.kill(Number(pid), 'SIGKILL');
};
