import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type HeardChunk, TranscriberError } from '#server/transcribers/transcriber.ts';
import { isEngineInstalled } from './engine-package.ts';
import { createListener } from './listener.ts';
import type { SpeechSound } from './messages.ts';

const chunk = {
  fromMs: 1000,
  toMs: 2000,
  language: 'en',
  timing: 'word',
  words: [],
  doubt: null,
  cause: null,
};
const word = { fromMs: 1100, toMs: 1200, text: 'word' };
const hole = { words: [], cause: 'engine-died' };

/** Starts a process that sends these messages for each segment, and waits for a reply to each if it says so. */
function listenerOf(onListen: string): ReturnType<typeof createListener> {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-listener-'));
  const path = join(directory, 'body.mjs');
  writeFileSync(
    path,
    `const chunk = ${JSON.stringify(chunk)}; const word = ${JSON.stringify(word)}; const send = (message) => process.send(message);
     process.on('message', (message) => {
       if (message.type === 'open') send({ type: 'opened' });
       if (message.type === 'next' || message.type === 'stop') send({ type: 'ended' });
       if (message.type === 'listen') { const { task } = message; ${onListen} }
     });`,
  );
  const listener = createListener({ script: pathToFileURL(path) });
  onTestFinished(async () => {
    await listener.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return listener;
}

async function listen(
  listener: ReturnType<typeof createListener>,
  toMs = 20_000,
  signal = new AbortController().signal,
): Promise<HeardChunk[]> {
  const chunks: HeardChunk[] = [];
  await listener.listen(
    {
      startMs: 0,
      fromMs: 0,
      toMs,
      audio: { kind: 'ogg', sizeBytes: 8, read: async () => new Uint8Array(8) },
    },
    {
      model: null,
      language: null,
      cutsMs: [5000],
      signal,
      async onChunk(heard) {
        chunks.push(heard);
      },
    },
    { engine: { task: { model: null, threads: 1 }, memoryBytes: 1024 ** 3 } },
  );
  return chunks;
}

describe.skipIf(!isEngineInstalled())('with the engine (else: sherpa-onnx-node is not installed)', () => {
  test('delivers what a process hears', async () => {
    const listener = listenerOf(`send({ type: 'heard', chunk: { ...chunk, words: [word] } });`);
    expect(await listen(listener)).toEqual([{ ...chunk, words: [word] }]);
  });

  test('finds all speech of a noisy recording, also its quietest words', async () => {
    const jfk = readFileSync(new URL('../../../../tests/fixtures/jfk-1961.opus', import.meta.url));
    const listener = createListener();
    onTestFinished(() => listener.close());
    const sounds: SpeechSound[] = [];
    const read = async (from: number, to: number): Promise<Uint8Array> => jfk.subarray(from, to);
    const audio = { kind: 'ogg', sizeBytes: jfk.length, read } as const;
    const sound = { startMs: 0, fromMs: 0, toMs: 11_006, audio };
    const request = {
      model: null,
      language: null,
      cutsMs: [],
      signal: new AbortController().signal,
      onChunk: async () => undefined,
    };
    await listener.listen(sound, request, {
      engine: { task: { model: null, threads: 1 }, memoryBytes: 1024 ** 3 },
      async hearElsewhere(speech) {
        sounds.push(speech);
      },
    });
    const spans = sounds.flatMap(({ speech }) => speech);
    expect(spans[0]?.fromMs).toBeLessThan(500);
    expect(spans.at(-1)?.toMs).toBeGreaterThan(10_400);
    // "Ask not" is said from 3.4 to 4.2 s. A higher threshold or the detector's version before loses it.
    const isHeard = (ms: number): boolean => spans.some(({ fromMs, toMs }) => fromMs <= ms && ms <= toMs);
    expect([3500, 4100].map(isHeard)).toEqual([true, true]);
  });

  test.each<[string, string]>([
    ['that is no message', `send({ type: 'sing' });`],
    ['with a chunk that crosses a cut', `send({ type: 'heard', chunk: { ...chunk, toMs: 6000 } });`],
    [
      'with a chunk after the end',
      `send({ type: 'heard', chunk: { ...chunk, fromMs: 19_500, toMs: 20_001 } });`,
    ],
    ['with a chunk of no length', `send({ type: 'heard', chunk: { ...chunk, toMs: 1000 } });`],
    ['with a chunk of broken times', `send({ type: 'heard', chunk: { ...chunk, toMs: 1e308 } });`],
    [
      'with words outside of their chunk',
      `send({ type: 'heard', chunk: { ...chunk, words: [{ ...word, toMs: 2001 }] } });`,
    ],
    [
      'with words in disorder',
      `send({ type: 'heard', chunk: { ...chunk, words: [word, { ...word, toMs: 1150 }] } });`,
    ],
    [
      'with too much text',
      `send({ type: 'heard', chunk: { ...chunk, words: [{ ...word, text: 'x'.repeat(2001) }] } });`,
    ],
    ['that asks for bytes before the file', `send({ type: 'read', startByte: -1, endByteExclusive: 4 });`],
    ['that asks for sound of another kind', `send({ type: 'pcm' });`],
    [
      'with sound that is not asked for',
      `send({ type: 'sound', fromMs: 1, toMs: 2, pcm: new Uint8Array(2), speech: [] });`,
    ],
    ['that was not due', `send({ type: 'opened' });`],
    [
      'a thousand times',
      `for (let time = 0; time < 1000; time++) send({ type: 'hearing', fromMs: 0, toMs: 1 });`,
    ],
  ])('a process that sends a message %s is ended, and its sound is a hole', async (_, misbehave) => {
    const listener = listenerOf(`if (task.fromMs === 0) { ${misbehave} } else send({ type: 'ended' });`);
    expect(await listen(listener)).toMatchObject([{ ...hole, fromMs: 0 }]);
  });

  test('a chunk that ends the process twice is a hole of its length', async () => {
    const listener = listenerOf(`
      if (task.fromMs > 0) send({ type: 'ended' });
      else process.send({ type: 'hearing', fromMs: 1000, toMs: 2000 }, () => process.kill(process.pid, 'SIGKILL'));
    `);
    expect(await listen(listener)).toMatchObject([{ ...hole, fromMs: 1000, toMs: 2000 }]);
  });

  test('a process that hears nothing that can be true leaves a hole up to the next cut', async () => {
    const listener = listenerOf(`
      if (task.fromMs > 0) send({ type: 'ended' });
      else process.send({ type: 'hearing', fromMs: 30000, toMs: 40000 }, () => process.kill(process.pid, 'SIGKILL'));
    `);
    expect(await listen(listener)).toMatchObject([{ ...hole, fromMs: 0, toMs: 5000 }]);
  });

  test('a store that fails ends the transcription, and the next one gets a process of its own', async () => {
    const listener = listenerOf(`send({ type: 'read', startByte: 0, endByteExclusive: 4 });`);
    const lost = new Error('the disk is gone');
    const failing = listener.listen(
      {
        startMs: 0,
        fromMs: 0,
        toMs: 20_000,
        audio: { kind: 'ogg', sizeBytes: 8, read: () => Promise.reject(lost) },
      },
      {
        model: null,
        language: null,
        cutsMs: [],
        signal: new AbortController().signal,
        onChunk: async () => undefined,
      },
      { engine: { task: { model: null, threads: 1 }, memoryBytes: 1024 ** 3 } },
    );
    await expect(failing).rejects.toBe(lost);
    const before = listener.pid;
    const controller = new AbortController();
    const second = listen(listener, 20_000, controller.signal);
    await vi.waitFor(() => expect(listener.pid).not.toBe(before), { timeout: 20_000 });
    controller.abort(lost);
    await expect(second).rejects.toBe(lost);
  });

  test('an engine that hears no chunk at all is given up', async () => {
    const listener = listenerOf(`process.exit(3);`);
    const error = await listen(listener, 10_000_000).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TranscriberError);
    expect(error).toMatchObject({ problem: 'model-broken', message: 'the process ended with 3' });
  });
});
