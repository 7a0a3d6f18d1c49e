import { expect, test } from 'vitest';
import { storeRecording, storeUser } from '#tests/support/factories.ts';
import { madeModelOf } from '#tests/support/made-model.ts';
import { fakeTranscriber, speechModelsUnderTest } from '#tests/support/speech-models-under-test.ts';

const base = 'whisper-base' as const;

async function underTest(given: { isAdmin?: boolean; freeBytes?: number } = {}) {
  const made = madeModelOf(base);
  const models = await speechModelsUnderTest({
    models: [made],
    modelsUrl: 'https://models.example',
    transcriber: fakeTranscriber(),
    isAdmin: given.isAdmin ?? true,
    space: async () => ({ freeBytes: given.freeBytes ?? null, reserveBytes: 0 }),
  });
  const send = (file: string, offset: number, bytes: Buffer) =>
    models.call('PATCH', `speech-models/${base}/files/${file}`, {
      payload: bytes,
      headers: { 'upload-offset': String(offset), 'content-type': 'application/partial-upload' },
    });
  return { ...models, made, send };
}

test('only administrators see, get and delete models, and limit transcripts', async () => {
  const { call, send } = await underTest({ isAdmin: false });
  const model = `speech-models/${base}`;
  const replies = [
    await call('GET', 'speech-models'),
    await call('POST', `${model}/download`),
    await call('POST', `${model}/pause`),
    await call('POST', `${model}/test`),
    await call('DELETE', model),
    await send('encoder.onnx', 0, Buffer.from('x')),
    await call('GET', 'transcripts'),
    await call('PATCH', 'transcripts', { payload: { isOn: false } }),
  ];
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([403]));
});

test('a model or a file that Earshot does not know is rejected', async () => {
  const { call, send } = await underTest();
  for (const reply of [
    await call('POST', 'speech-models/whisper-huge/download'),
    await call('DELETE', 'speech-models/whisper-huge'),
  ])
    expect([reply.statusCode, reply.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'model-unknown' }),
    ]);
  expect((await send('weights.bin', 0, Buffer.from('x'))).json()).toMatchObject({ code: 'not-found' });
  expect((await call('POST', `speech-models/${base}/test`)).json()).toMatchObject({ code: 'not-found' });
});

test('files of an administrator are appended in pieces, compared and tested', async () => {
  const { send, made, shown, runner } = await underTest();
  for (const [file, bytes] of made.contents)
    for (let offset = 0; offset < bytes.byteLength; offset += 1000) {
      const reply = await send(file, offset, bytes.subarray(offset, offset + 1000));
      expect(reply.statusCode).toBe(204);
      expect(reply.headers['upload-offset']).toBe(String(Math.min(bytes.byteLength, offset + 1000)));
    }
  expect(await shown(base)).toMatchObject({ state: 'checking', storedBytes: 3000 });
  await runner.runDue();
  expect(await shown(base)).toMatchObject({ state: 'ready' });
});

test('a piece at another offset learns how much is stored', async () => {
  const { send, made, shown } = await underTest();
  const bytes = made.contents.get('encoder.onnx') ?? Buffer.of();
  await send('encoder.onnx', 0, bytes.subarray(0, 100));
  const reply = await send('encoder.onnx', 50, bytes.subarray(50, 150));
  expect([reply.statusCode, reply.headers['upload-offset'], reply.json()]).toEqual([
    409,
    '100',
    expect.objectContaining({ code: 'offset-mismatch' }),
  ]);
  expect(await shown(base)).toMatchObject({ state: 'paused', storedBytes: 100 });
});

test('the bytes of a wrong file are deleted', async () => {
  const { send, made, shown } = await underTest();
  const bytes = made.contents.get('encoder.onnx') ?? Buffer.of();
  const wrong = await send('encoder.onnx', 0, Buffer.alloc(bytes.byteLength));
  expect([wrong.statusCode, wrong.json()]).toEqual([
    422,
    expect.objectContaining({ code: 'checksum-mismatch' }),
  ]);
  const long = await send('encoder.onnx', 0, Buffer.alloc(bytes.byteLength + 1));
  expect(long.json()).toMatchObject({ code: 'checksum-mismatch' });
  expect(await shown(base)).toMatchObject({ storedBytes: 0 });
  expect((await send('encoder.onnx', 0, bytes)).statusCode).toBe(204);
});

test('an upload does not start without space', async () => {
  const { send, shown } = await underTest({ freeBytes: 1000 });
  expect((await send('encoder.onnx', 0, Buffer.from('x'))).json()).toMatchObject({ code: 'storage-full' });
  expect(await shown(base)).toMatchObject({ state: 'absent', storedBytes: 0 });
});

test('a model is not deleted while a transcription runs with it', async () => {
  const { call, database } = await underTest();
  const { id: owner_id } = await storeUser(database.queries);
  const { id: recordingId } = await storeRecording(database.queries, { owner_id });
  await database.queries
    .insertInto('transcripts')
    .values({
      recording_id: recordingId,
      state: 'running',
      language: 'en',
      model: base,
      from_ms: 0,
      to_ms: null,
      hears_all: 0,
      heard_to_ms: 0,
      cause: null,
      revision: 1,
      created_at: 1,
      updated_at: 1,
      ended_at: null,
    })
    .execute();
  const reply = await call('DELETE', `speech-models/${base}`);
  expect([reply.statusCode, reply.json()]).toEqual([409, expect.objectContaining({ code: 'model-in-use' })]);
  await database.queries.updateTable('transcripts').set({ state: 'ready' }).execute();
  expect((await call('DELETE', `speech-models/${base}`)).statusCode).toBe(204);
});

test('administrators switch transcripts off and limit the hours; the rest stays', async () => {
  const { call, feature, announced } = await underTest();
  expect((await call('GET', 'transcripts')).json()).toEqual({ isOn: true, hoursPerDay: 24 });
  const before = announced.count;
  expect((await call('PATCH', 'transcripts', { payload: { isOn: false } })).json()).toEqual({
    isOn: false,
    hoursPerDay: 24,
  });
  await call('PATCH', 'transcripts', { payload: { hoursPerDay: 3 } });
  expect(await feature.settings()).toEqual({ isOn: false, hoursPerDay: 3 });
  expect(announced.count).toBe(before + 2);
  for (const payload of [
    { hoursPerDay: 0 },
    { hoursPerDay: 1001 },
    { hoursPerDay: 1.5 },
    { isOn: 'no' },
    { x: 1 },
  ])
    expect((await call('PATCH', 'transcripts', { payload })).statusCode).toBe(422);
});
