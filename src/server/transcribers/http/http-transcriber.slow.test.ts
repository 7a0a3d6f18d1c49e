import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isEngineInstalled } from '#server/transcribers/listening/engine-package.ts';
import type { HeardChunk, SegmentSound } from '#server/transcribers/transcriber.ts';
import { createHttpTranscriber } from './http-transcriber.ts';

const jfk = readFileSync(new URL('../../../../tests/fixtures/jfk-1961.opus', import.meta.url));
const sound: SegmentSound = {
  startMs: 0,
  fromMs: 0,
  toMs: 11_006,
  audio: {
    kind: 'ogg',
    sizeBytes: jfk.length,
    read: async (startByte, endByteExclusive) => jfk.subarray(startByte, endByteExclusive),
  },
};

interface Call {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  form: FormData;
}

type Reply = (response: ServerResponse, call: number) => void;

/** A transcription server that replies as a test says. */
async function serverOf(reply: Reply): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const { method, url, headers } = request;
    calls.push({ method, url, authorization: headers.authorization, form });
    reply(response, calls.length);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, calls };
}

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

async function hear(
  url: string,
  {
    key = '',
    cutsMs = [],
    signal = new AbortController().signal,
    timeoutMsOf,
  }: { key?: string; cutsMs?: number[]; signal?: AbortSignal; timeoutMsOf?: () => number } = {},
): Promise<HeardChunk[]> {
  const transcriber = createHttpTranscriber(
    { url, key, model: 'whisper-1', isElsewhere: false },
    { retryMs: 1, ...(timeoutMsOf === undefined ? {} : { timeoutMsOf }) },
  );
  onTestFinished(() => transcriber.close());
  const chunks: HeardChunk[] = [];
  await transcriber.transcribe(sound, {
    model: null,
    language: 'en',
    cutsMs,
    signal,
    async onChunk(chunk) {
      chunks.push(chunk);
    },
  });
  return chunks;
}

const textOf = ({ words }: HeardChunk): string => words.map(({ text }) => text).join(' ');
const spoken = {
  text: 'Ask not, what?',
  language: 'english',
  words: [
    { word: 'Ask', start: 3.1, end: 3.6 },
    { word: 'not', start: 3.8, end: 4.2 },
    { word: 'what', start: 5.2, end: 5.5 },
  ],
};

test('names the host that sound is sent to, unless it is this machine', () => {
  const server = { url: 'https://stt.example/api', key: '', model: 'm' };
  expect(createHttpTranscriber({ ...server, isElsewhere: true })).toMatchObject({
    address: 'https://stt.example',
    hasOwnModel: true,
  });
  expect(createHttpTranscriber({ ...server, isElsewhere: false }).address).toBeNull();
});

describe.skipIf(!isEngineInstalled())('with the engine (else: sherpa-onnx-node is not installed)', () => {
  test('sends speech as WAV with the key, and takes words with their times', async () => {
    const { url, calls } = await serverOf(json(spoken));
    const [chunk, ...others] = await hear(url, { key: 'secret' });
    expect(others).toEqual([]);
    expect(chunk).toMatchObject({ language: 'en', timing: 'word', cause: null });
    // The words of OpenAI have no marks; those of its text are taken.
    expect(chunk?.words.map(({ text }) => text)).toEqual(['Ask', 'not,', 'what?']);
    expect(chunk?.words[0]?.fromMs).toBeGreaterThan(3000);
    expect(chunk?.words[0]?.fromMs).toBeLessThan(3700);
    const [call] = calls;
    expect(call).toMatchObject({
      method: 'POST',
      url: '/v1/audio/transcriptions',
      authorization: 'Bearer secret',
    });
    const { file, ...fields } = Object.fromEntries(call?.form ?? []);
    expect(fields).toEqual({
      model: 'whisper-1',
      response_format: 'verbose_json',
      'timestamp_granularities[]': 'word',
      temperature: '0',
      language: 'en',
    });
    expect(file).toBeInstanceOf(Blob);
    expect((file as Blob).size).toBe(44 + 2 * 16 * ((chunk?.toMs ?? 0) - (chunk?.fromMs ?? 0)));
  });

  test.each([
    ['segments', { text: 'Ask not what', segments: [{ start: 0, end: 5, text: 'Ask not what' }] }],
    ['only text', { text: 'Ask not what' }],
  ])('an answer with %s has no times of words', async (_, answer) => {
    const { url } = await serverOf(json(answer));
    const chunks = await hear(url);
    expect(chunks.map(textOf)).toEqual(['Ask not what']);
    expect(chunks).toMatchObject([{ timing: 'chunk', language: 'en' }]);
  });

  test.each([401, 403])('the status %i is a refusal, and is not repeated', async (status) => {
    const { url, calls } = await serverOf(json({}, status));
    await expect(hear(url)).rejects.toMatchObject({ problem: 'transcriber-refused' });
    expect(calls).toHaveLength(1);
  });

  test.each<[string, Reply]>([
    ['404', json({}, 404)],
    ['405', json({}, 405)],
    ['a redirect', json({}, 302, { location: 'https://elsewhere.example/' })],
    ['HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')],
    ['plain text', (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('Ask not')],
  ])('%s is a wrong address', async (_, reply) => {
    const { url, calls } = await serverOf(reply);
    await expect(hear(url)).rejects.toMatchObject({ problem: 'transcriber-wrong-address' });
    expect(calls).toHaveLength(1);
  });

  test('sound that is too large is halved, but not below five seconds', async () => {
    const { url, calls } = await serverOf((response, call) => {
      if (call === 1) json({}, 413)(response, call);
      else json({ text: `half ${call}` })(response, call);
    });
    const chunks = await hear(url);
    expect(chunks.map(textOf)).toEqual(['half 2 half 3']);
    const sizes = calls.map(({ form }) => (form.get('file') as Blob).size - 44);
    expect((sizes[1] ?? 0) + (sizes[2] ?? 0)).toBe(sizes[0]);
    const never = await serverOf(json({}, 413));
    expect(await hear(never.url)).toMatchObject([{ words: [], cause: 'no-answer' }]);
    expect(never.calls.length).toBeLessThanOrEqual(3);
  });

  test.each([429, 503])(
    'the status %i asks to wait as long as it says, at most ten minutes',
    async (status) => {
      const replies = [{ 'retry-after': '7' }, { 'retry-after': '86400' }, {}];
      const { url, calls } = await serverOf((response, call) =>
        json({}, status, replies[call - 1])(response, call),
      );
      for (const retryAfterMs of [7000, 600_000, 30_000])
        await expect(hear(url)).rejects.toMatchObject({ problem: 'transcriber-unavailable', retryAfterMs });
      expect(calls).toHaveLength(3);
    },
  );

  test.each<[string, Reply]>([
    ['a status of 500', json({}, 500)],
    [
      'broken JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"text": "Ask'),
    ],
    ['JSON of another kind', json({ words: 'Ask' })],
    ['more than 1 MiB', json({ text: 'Ask', filler: 'x'.repeat(1024 * 1024) })],
    [
      'a connection that ends early',
      (response) => response.writeHead(200).write('{', () => response.destroy()),
    ],
  ])('after three times %s the chunk is a hole', async (_, reply) => {
    const { url, calls } = await serverOf(reply);
    expect(await hear(url)).toMatchObject([{ words: [], cause: 'no-answer' }]);
    expect(calls).toHaveLength(3);
  });

  test('one failure is repeated', async () => {
    const { url } = await serverOf((response, call) =>
      json(call < 3 ? {} : spoken, call < 3 ? 500 : 200)(response, call),
    );
    expect((await hear(url)).map(textOf)).toEqual(['Ask not, what?']);
  });

  test('no answer in time is a hole', async () => {
    const { url } = await serverOf(() => undefined);
    expect(await hear(url, { timeoutMsOf: () => 50 })).toMatchObject([{ cause: 'no-answer' }]);
  });

  test('a server that answers no chunk at all, or is not there, is unavailable', async () => {
    const { url } = await serverOf(json({}, 500));
    await expect(hear(url, { cutsMs: [3000, 6000, 8000] })).rejects.toMatchObject({
      problem: 'transcriber-unavailable',
    });
    await expect(hear('http://127.0.0.1:1')).rejects.toMatchObject({ problem: 'transcriber-unavailable' });
  });

  test('times and texts that no speech has are put in order inside the chunk', async () => {
    const { url } = await serverOf(
      json({
        text: 'x',
        words: [
          { word: 'late', start: 1e300, end: -5 },
          { word: '\u0000\u0007', start: 0, end: 1 },
          { word: 'again', start: 0, end: 1 },
          { word: 'long'.repeat(2000), start: 0, end: 1 },
        ],
      }),
    );
    const [chunk] = await hear(url);
    expect(chunk?.words.map(({ text }) => text)).toEqual(['late', 'again']);
    for (const { fromMs, toMs } of chunk?.words ?? []) {
      expect(fromMs).toBeLessThanOrEqual(toMs);
      expect(toMs).toBeLessThanOrEqual(chunk?.toMs ?? 0);
    }
  });

  test('aborting ends a request that is waiting', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const { url } = await serverOf(() => controller.abort(reason));
    await expect(hear(url, { signal: controller.signal })).rejects.toBe(reason);
  });
});
