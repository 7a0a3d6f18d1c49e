import { expect, test, vi } from 'vitest';
import { blobKeyOfFile } from '#server/features/speech-models/known-models.ts';
import { TranscriberError } from '#server/transcribers/transcriber.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { madeModelOf } from '#tests/support/made-model.ts';
import { answerPlainly, type Misbehaviour, startModelServer } from '#tests/support/model-server.ts';
import { fakeTranscriber, speechModelsUnderTest } from '#tests/support/speech-models-under-test.ts';

const base = 'whisper-base' as const;
const pieceBytes = 1024 * 1024;

async function underTest(
  given: Partial<Parameters<typeof speechModelsUnderTest>[0]> & { sizeBytes?: number } = {},
) {
  const { sizeBytes = 3000, ...rest } = given;
  const made = madeModelOf(base, { sizeBytes });
  const server = await startModelServer([made]);
  const models = await speechModelsUnderTest({
    models: [made],
    modelsUrl: server.url,
    transcriber: fakeTranscriber(),
    ...rest,
  });
  const get = async () => {
    expect((await models.call('POST', `speech-models/${base}/download`)).statusCode).toBe(204);
    await models.runner.runDue();
    return models.shown(base);
  };
  /** What the store has of the model. */
  const storedContent = async () => {
    const contents = new Map<string, Buffer>();
    for (const file of made.model.files) {
      const bytes = await models.blobs.read(blobKeyOfFile(file), { startByte: 0, endByteExclusive: 2 ** 30 });
      contents.set(file.path, Buffer.from(bytes));
    }
    return contents;
  };
  return { ...models, made, server, get, storedContent };
}

test('downloads a model, compares it with its hashes, tests it, and announces that it is ready', async () => {
  const { get, storedContent, made, server, feature, announced } = await underTest();
  expect(await get()).toMatchObject({
    state: 'ready',
    cause: null,
    storedBytes: 3000,
    test: { wrongWords: 0, words: 22, gives: 'word' },
  });
  expect(await storedContent()).toEqual(made.contents);
  expect(server.requests).toEqual(['encoder.onnx 0', 'decoder.onnx 0', 'tokens.txt 0']);
  expect(announced.count).toBeGreaterThan(1);
  expect((await feature.list()).map(({ name }) => name)).toEqual([base]);
  expect(await feature.languages()).toEqual(['en']);
});

/** Sends some bytes, then ends the connection. */
const cutAfter =
  (count: number): Misbehaviour =>
  ({ bytes, fromByte, response }) => {
    const start = fromByte ?? 0;
    if (bytes.byteLength - start <= count) return false;
    response.writeHead(fromByte === null ? 200 : 206, {
      'content-length': bytes.byteLength - start,
      'content-range': `bytes ${start}-${bytes.byteLength - 1}/${bytes.byteLength}`,
    });
    response.write(bytes.subarray(start, start + count), () => response.destroy());
    return true;
  };

test('continues from the stored bytes after each lost connection, as long as bytes come', async () => {
  const { get, storedContent, made, server } = await underTest({ sizeBytes: 2 * pieceBytes });
  server.misbehave(cutAfter(pieceBytes / 2));
  expect(await get()).toMatchObject({ state: 'ready' });
  expect(await storedContent()).toEqual(made.contents);
  expect(server.requests.filter((request) => request.startsWith('decoder')).length).toBeGreaterThan(3);
});

test('leaves out the stored bytes if the host ignores the range', async () => {
  const { get, storedContent, made, server } = await underTest({ sizeBytes: 2.5 * pieceBytes });
  let isCut = false;
  server.misbehave((served) => {
    if (!isCut && served.bytes.byteLength > pieceBytes) {
      isCut = true;
      return cutAfter(pieceBytes)(served);
    }
    answerPlainly({ ...served, fromByte: null });
    return true;
  });
  expect(await get()).toMatchObject({ state: 'ready' });
  expect(await storedContent()).toEqual(made.contents);
  expect(server.requests.filter((request) => /^decoder.onnx [1-9]/.test(request))).toHaveLength(1);
});

const failures: [string, Misbehaviour, { cause: string; storedBytes: number; requests: number }][] = [
  [
    'the host does not have it',
    ({ response }) => {
      response.writeHead(404).end();
      return true;
    },
    { cause: 'unreachable', storedBytes: 0, requests: 5 },
  ],
  [
    'a proxy answers with a page',
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Sign in</h1>');
      return true;
    },
    { cause: 'unreachable', storedBytes: 0, requests: 5 },
  ],
  [
    'the host refuses connections',
    ({ response }) => {
      response.destroy();
      return true;
    },
    { cause: 'unreachable', storedBytes: 0, requests: 5 },
  ],
  [
    'the host redirects for ever',
    ({ request, response }) => {
      response.writeHead(302, { location: request.url }).end();
      return true;
    },
    { cause: 'unreachable', storedBytes: 0, requests: 30 },
  ],
  [
    'the host redirects to an address without encryption',
    ({ response }) => {
      response.writeHead(302, { location: 'http://files.example/model' }).end();
      return true;
    },
    { cause: 'unreachable', storedBytes: 0, requests: 5 },
  ],
  [
    'the file has other bytes',
    ({ bytes, response }) => {
      response.end(Buffer.alloc(bytes.byteLength));
      return true;
    },
    { cause: 'wrong-file', storedBytes: 0, requests: 1 },
  ],
  [
    'the file is longer, and says so',
    ({ bytes, response }) => {
      response
        .writeHead(200, { 'content-length': bytes.byteLength + 1 })
        .end(Buffer.alloc(bytes.byteLength + 1));
      return true;
    },
    { cause: 'wrong-file', storedBytes: 0, requests: 1 },
  ],
  [
    'the file is longer, and does not say so',
    ({ bytes, response }) => {
      response.write(bytes);
      response.end(bytes);
      return true;
    },
    { cause: 'wrong-file', storedBytes: 0, requests: 1 },
  ],
  [
    'the host has fewer bytes',
    ({ response }) => {
      response.writeHead(416).end();
      return true;
    },
    { cause: 'wrong-file', storedBytes: 0, requests: 1 },
  ],
];

test.for(failures)('fails if %s', async ([, misbehaviour, expected]) => {
  const { get, server } = await underTest();
  server.misbehave(misbehaviour);
  const { state, cause, storedBytes, detail } = await get();
  expect({ state, cause, storedBytes, requests: server.requests.length }).toEqual({
    state: 'failed',
    ...expected,
  });
  expect(detail).not.toBeNull();
  // A press tries again.
  server.misbehave(null);
  expect(await get()).toMatchObject({ state: 'ready', cause: null, detail: null });
});

test('fails if the host is silent', async () => {
  const { get, server } = await underTest({ download: { retryDelaysMs: [], silenceMs: 20 } });
  server.misbehave(({ response }) => {
    response.writeHead(200);
    response.write('x');
    return true;
  });
  expect(await get()).toMatchObject({ state: 'failed', cause: 'unreachable' });
});

test('follows redirects', async () => {
  const { get, server } = await underTest();
  server.misbehave(({ request, response }) => {
    if (request.url?.includes('?') === true) return false;
    response.writeHead(302, { location: `${request.url ?? ''}?here` }).end();
    return true;
  });
  expect(await get()).toMatchObject({ state: 'ready' });
});

test('does not start without space for the model and a gibibyte more, and says the numbers', async () => {
  const freeBytes = 1024 ** 3 + 2999;
  const { call, shown, row, server } = await underTest({
    space: async () => ({ freeBytes, reserveBytes: 0 }),
  });
  const response = await call('POST', `speech-models/${base}/download`);
  const params = { neededBytes: 1024 ** 3 + 3000, freeBytes };
  expect([response.statusCode, response.json()]).toEqual([
    507,
    expect.objectContaining({ code: 'storage-full', errors: [{ pointer: '', code: 'space', params }] }),
  ]);
  expect(await shown(base)).toMatchObject({ state: 'absent', missingSpace: params });
  expect([await row(base), server.requests]).toEqual([undefined, []]);
});

test('continues after a stop at any piece, without a byte twice', async () => {
  const blobs = new MemoryBlobStore();
  const { call, runner, shown, storedContent, made } = await underTest({
    sizeBytes: 2.5 * pieceBytes,
    blobs,
  });
  await call('POST', `speech-models/${base}/download`);
  const append = blobs.append.bind(blobs);
  for (let stops = 0; stops < 3; stops += 1) {
    let appended = 0;
    vi.spyOn(blobs, 'append').mockImplementation(async (key, piece) => {
      // The process ends after the piece is stored, and before anything else is.
      if (appended === 1) throw Object.assign(new Error('stopped'), { code: 'ENOSPC' });
      appended += 1;
      return append(key, piece);
    });
    await runner.runDue().catch(() => undefined);
  }
  vi.restoreAllMocks();
  const { state, cause } = await shown(base);
  expect([state, cause]).toEqual(['failed', 'storage-full']);
  await call('POST', `speech-models/${base}/download`);
  await runner.runDue();
  expect(await shown(base)).toMatchObject({ state: 'ready' });
  expect(await storedContent()).toEqual(made.contents);
});

test('pauses, keeps what is stored, and continues from there', async () => {
  const { call, runner, shown, server, storedContent, made } = await underTest({
    sizeBytes: 2.5 * pieceBytes,
  });
  const arrived = Promise.withResolvers<undefined>();
  server.misbehave(({ bytes, response }) => {
    if (bytes.byteLength < pieceBytes) return false;
    response.writeHead(200, { 'content-length': bytes.byteLength });
    response.write(bytes.subarray(0, 2 * pieceBytes), () => arrived.resolve(undefined));
    return true;
  });
  await call('POST', `speech-models/${base}/download`);
  const running = runner.runDue();
  await arrived.promise;
  await vi.waitFor(async () => {
    expect((await shown(base))['storedBytes']).toBeGreaterThan(pieceBytes);
  });
  expect((await call('POST', `speech-models/${base}/pause`)).statusCode).toBe(204);
  await running;
  const paused = await shown(base);
  expect(paused).toMatchObject({ state: 'paused', cause: null });
  server.misbehave(null);
  await call('POST', `speech-models/${base}/download`);
  await runner.runDue();
  expect(await shown(base)).toMatchObject({ state: 'ready' });
  expect(await storedContent()).toEqual(made.contents);
  expect(server.requests.at(-2)).not.toBe('decoder.onnx 0');
});

test('deletes a model while it is downloaded', async () => {
  const { call, runner, shown, server, blobs, made } = await underTest({ sizeBytes: 2.5 * pieceBytes });
  server.misbehave(({ bytes, response }) => {
    if (bytes.byteLength < pieceBytes) return false;
    response.writeHead(200, { 'content-length': bytes.byteLength });
    response.write(bytes.subarray(0, pieceBytes));
    return true;
  });
  await call('POST', `speech-models/${base}/download`);
  const running = runner.runDue();
  await vi.waitFor(async () => {
    expect((await shown(base))['storedBytes']).toBeGreaterThan(pieceBytes);
  });
  expect((await call('DELETE', `speech-models/${base}`)).statusCode).toBe(204);
  await running;
  expect(await shown(base)).toMatchObject({ state: 'absent', storedBytes: 0 });
  for (const file of made.model.files) expect(await blobs.head(blobKeyOfFile(file))).toBeNull();
});

test('a model that gives no times of words is stored as one that gives text', async () => {
  const { get } = await underTest({ transcriber: fakeTranscriber({ chunk: { timing: 'chunk' } }) });
  expect(await get()).toMatchObject({ state: 'ready', test: { gives: 'text' } });
});

test('counts the words that the model got wrong', async () => {
  const text =
    'And so my fellow Armenians ask not what country can do for you ask what you can do for your country yes';
  const { get } = await underTest({ transcriber: fakeTranscriber({ text }) });
  expect(await get()).toMatchObject({ state: 'ready', test: { wrongWords: 3 } });
});

test.for([
  ['it hears something else', fakeTranscriber({ text: 'the the the' })],
  ['the engine dies', fakeTranscriber({ chunk: { cause: 'engine-died', words: [] } })],
  [
    'the engine rejects it',
    fakeTranscriber({
      transcribe: async () => {
        throw new TranscriberError('model-broken', 'invalid protobuf');
      },
    }),
  ],
] as const)('a model does not work if %s', async ([, transcriber]) => {
  const { get, feature } = await underTest({ transcriber });
  expect(await get()).toMatchObject({
    state: 'failed',
    cause: 'model-broken',
    detail: expect.any(String),
    test: null,
  });
  expect(await feature.modelFor('en')).toBeNull();
});

test.for([
  ['off', null],
  ['missing', fakeTranscriber({ isInstalled: () => false })],
  ['elsewhere', fakeTranscriber({ address: 'stt.example' })],
  [
    'ready',
    fakeTranscriber({
      transcribe: async () => {
        throw new TranscriberError('engine-missing', 'no engine');
      },
    }),
  ],
] as const)('a model is stored without a test if the engine is %s', async ([engine, transcriber]) => {
  const { get, call } = await underTest({ transcriber });
  expect(await get()).toMatchObject({ state: 'untested', test: null });
  const reply = (await call('GET', 'speech-models')).json<{ engine: string; host: string }>();
  expect(reply.engine).toBe(engine);
  expect(reply.host).toMatch(/^127\.0\.0\.1:\d+$/);
});

test('tests again on press, and finds a file that has changed', async () => {
  const { get, call, runner, shown, blobs, made } = await underTest();
  await get();
  expect((await call('POST', `speech-models/${base}/test`)).statusCode).toBe(204);
  await runner.runDue();
  expect(await shown(base)).toMatchObject({ state: 'ready' });
  const [encoder] = made.model.files;
  if (encoder === undefined) throw new Error('there is no encoder');
  await blobs.put(blobKeyOfFile(encoder), Buffer.alloc(encoder.sizeBytes));
  await call('POST', `speech-models/${base}/test`);
  await runner.runDue();
  expect(await shown(base)).toMatchObject({ state: 'failed', cause: 'wrong-file', test: null });
});

test('deleting a model leaves files that another one shares', async () => {
  const models = [madeModelOf(base, { tokens: 'all' }), madeModelOf('whisper-small', { tokens: 'all' })];
  const server = await startModelServer(models);
  const { call, runner, shown } = await speechModelsUnderTest({ models, modelsUrl: server.url });
  for (const { model } of models) await call('POST', `speech-models/${model.name}/download`);
  await runner.runDue();
  expect(server.requests.filter((request) => request.startsWith('tokens'))).toHaveLength(1);
  await call('DELETE', `speech-models/${base}`);
  expect(await shown('whisper-small')).toMatchObject({ state: 'untested', storedBytes: 3000 });
  expect(await shown(base)).toMatchObject({ state: 'absent' });
});
