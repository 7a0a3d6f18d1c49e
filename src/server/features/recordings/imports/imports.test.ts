import { describe, expect, test } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import {
  apiOnSqlite,
  apiUnderTest,
  append,
  complete,
  finish,
  openUpload,
  peaksOf,
  problemOf,
  sha256Of,
} from '#tests/support/api-under-test.ts';
import { startImport, importFile, newImport } from '#tests/support/import-file.ts';
import { newId } from '#tests/support/factories.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';

/** PCM in a RIFF file, 16 bit mono, made without other programs. */
function wavOf(seconds: number, rateHz = 8000): Buffer {
  const data = Buffer.alloc(seconds * rateHz * 2);
  for (let frame = 0; frame < seconds * rateHz; frame += 1)
    data.writeInt16LE(Math.round(Math.sin((frame * 440 * 2 * Math.PI) / rateHz) * 16_000), frame * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rateHz, 24);
  head.writeUInt32LE(rateHz * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

const wav = wavOf(2);

eachDatabase((_name, open) => {
  test('an imported file is stored bit for bit, keeps its name, and is played unchanged if browsers can', async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const { take, recording } = await importFile(api, user, {
      name: 'Rede am 25. Mai – Entwürfe.wav',
      bytes: wav,
      mediaType: 'text/html',
      peaks: peaksOf(2),
    });
    expect(recording).toMatchObject({
      state: 'ready',
      source: 'import',
      rendition: 'none',
      failureReason: null,
      durationMs: 2000,
      sizeBytes: wav.length,
      sha256: sha256Of(wav),
      peaksPoints: 200,
      format: { container: 'wav', codec: 'pcm-s16', sampleRateHz: 8000, channels: 1 },
      file: {
        name: 'Rede am 25. Mai – Entwürfe.wav',
        mediaType: 'text/html',
        sizeBytes: wav.length,
        sha256: sha256Of(wav),
      },
    });
    const original = await api.as(user, { url: `/api/recordings/${take.recordingId}/original` });
    expect([
      original.statusCode,
      original.headers['content-type'],
      original.headers['content-disposition'],
    ]).toEqual([
      200,
      'audio/wav',
      `attachment; filename="Rede am 25. Mai  Entwurfe.wav"; filename*=UTF-8''Rede%20am%2025.%20Mai%20%E2%80%93%20Entw%C3%BCrfe.wav`,
    ]);
    expect(original.rawPayload.equals(wav)).toBe(true);
    const part = await api.as(user, {
      url: `/api/recordings/${take.recordingId}/audio`,
      headers: { range: 'bytes=40-99' },
    });
    expect([part.statusCode, part.headers['content-type'], part.headers['content-range']]).toEqual([
      206,
      'audio/wav',
      `bytes 40-99/${wav.length}`,
    ]);
    expect(part.rawPayload.equals(wav.subarray(40, 100))).toBe(true);
  });

  test('an imported file is only accessible to its owner', async () => {
    const api = await apiUnderTest(await open());
    const { take } = await importFile(api, await api.signIn(), { name: 'a.wav', bytes: wav });
    const other = await api.signIn();
    const answers = await Promise.all(
      ['original', 'audio'].map((what) =>
        api.as(other, { url: `/api/recordings/${take.recordingId}/${what}` }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    const checked = await api.as(other, {
      method: 'POST',
      url: '/api/imports/check',
      payload: { files: [{ sha256: sha256Of(wav), sizeBytes: wav.length }] },
    });
    expect(checked.json()).toEqual({
      usedBytes: 0,
      quotaBytes: null,
      files: [{ sha256: sha256Of(wav), recordings: [], unfinished: null, rejection: null }],
    });
  });

  test('duplicates of a finished or trashed file are recognised, and may be imported again', async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const { take: first } = await importFile(api, user, { name: 'a.wav', bytes: wav, sha256: null });
    await api.as(user, { method: 'DELETE', url: `/api/recordings/${first.recordingId}` });
    const { take: second } = await importFile(api, user, { name: 'b.wav', bytes: wav });
    const checked = await api.as(user, {
      method: 'POST',
      url: '/api/imports/check',
      payload: { files: [{ sha256: sha256Of(wav), sizeBytes: wav.length }] },
    });
    expect(checked.json()).toMatchObject({
      files: [
        {
          rejection: null,
          unfinished: null,
          recordings: [
            { id: first.recordingId, title: 'a', isTrashed: true },
            { id: second.recordingId, title: 'b', isTrashed: false },
          ],
        },
      ],
    });
    const { recording } = await importFile(api, user, { name: 'c.wav', bytes: wav });
    expect(recording.state).toBe('ready');
  });

  test('an import that lacks bytes is no duplicate: the check names what another device needs to continue it', async () => {
    const api = await apiUnderTest(await open(), undefined, { quotaBytes: wav.length + 1000 });
    const user = await api.signIn();
    const { take } = await startImport(api, user, { name: 'b.wav', bytes: wav });
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes: wav.subarray(0, 1000) });
    const check = async () => {
      const { files } = (
        await api.as(user, {
          method: 'POST',
          url: '/api/imports/check',
          payload: { files: [{ sha256: sha256Of(wav), sizeBytes: wav.length }] },
        })
      ).json<{ files: unknown[] }>();
      return files[0];
    };
    // The quota counts the whole file already.
    expect(await check()).toMatchObject({
      recordings: [],
      rejection: null,
      unfinished: { id: take.recordingId, audioUploadId: take.audioId, peaksUploadId: null, epoch: 1 },
    });
    // Half of the peaks: the device that continues has no way to make the other half.
    await openUpload(api, take, { uploadId: take.peaksId, stream: 'peaks' });
    await append(api, take, { uploadId: take.peaksId, offset: 0, bytes: peaksOf(1) });
    expect(await check()).toMatchObject({ unfinished: { peaksUploadId: take.peaksId } });
    await append(api, take, { uploadId: take.audioId, offset: 1000, bytes: wav.subarray(1000) });
    await complete(api, take, { uploadId: take.audioId, bytes: wav });
    await finish(api, take, { durationMs: 0 });
    await api.runJobs();
    expect(await check()).toMatchObject({ recordings: [{ id: take.recordingId }], unfinished: null });
    const recording = await api.as(user, { url: `/api/recordings/${take.recordingId}` });
    // Without ffmpeg the server can't make the missing half.
    expect(recording.json()).toMatchObject({ state: 'ready', peaksPoints: hasFfmpeg ? 200 : 100 });
  });

  test('an import that its owner moved to the trash is not continued', async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const { take } = await startImport(api, user, { name: 'b.wav', bytes: wav });
    await api.as(user, { method: 'DELETE', url: `/api/recordings/${take.recordingId}` });
    const checked = await api.as(user, {
      method: 'POST',
      url: '/api/imports/check',
      payload: { files: [{ sha256: sha256Of(wav), sizeBytes: wav.length }] },
    });
    expect(checked.json()).toMatchObject({ files: [{ recordings: [], unfinished: null }] });
  });

  test('an import over the quota is rejected before its bytes, with the numbers; a take never is', async () => {
    const api = await apiUnderTest(await open(), undefined, { quotaBytes: 50_000 });
    const user = await api.signIn();
    await importFile(api, user, { name: 'a.wav', bytes: wav });
    const { registered } = await startImport(api, user, { name: 'b.wav', bytes: wav });
    expect([registered.statusCode, problemOf(registered)]).toEqual([
      413,
      expect.objectContaining({
        code: 'quota-exceeded',
        errors: [
          {
            pointer: '/file/sizeBytes',
            code: 'quota-exceeded',
            params: { used: expect.any(Number), limit: 50_000 },
          },
        ],
      }),
    ]);
    const check = await api.as(user, {
      method: 'POST',
      url: '/api/imports/check',
      payload: { files: [1, 2].map((part) => ({ sha256: sha256Of(Buffer.of(part)), sizeBytes: 10_000 })) },
    });
    expect(
      check.json<{ files: { rejection: string | null }[] }>().files.map(({ rejection }) => rejection),
    ).toEqual([null, 'quota-exceeded']);
  });

  test('two files that only fit the quota separately are not both admitted', async () => {
    const api = await apiUnderTest(await open(), undefined, { quotaBytes: 50_000 });
    const user = await api.signIn();
    const answers = await Promise.all(
      [1, 2, 3].map((each) =>
        api.as(user, {
          method: 'PUT',
          url: `/api/recordings/${newId()}`,
          payload: newImport({ name: `${each}.wav`, bytes: wav }),
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 413, 413]);
  });
});

describe('an import', () => {
  test.for([
    ['without its file', { file: undefined }, '/file', 'required'],
    [
      'of a file without a name',
      { file: { name: ' ', mediaType: '', sizeBytes: 1, sha256: null } },
      '/file/name',
      'too-short',
    ],
    [
      'of a file with a name of many lines',
      { file: { name: 'a\nb', mediaType: '', sizeBytes: 1, sha256: null } },
      '/file/name',
      'control-characters',
    ],
    [
      'of an empty file',
      { file: { name: 'a', mediaType: '', sizeBytes: 0, sha256: null } },
      '/file/sizeBytes',
      'too-small',
    ],
    ['that says it is a take', { source: 'microphone' }, '/file', 'not-allowed'],
  ] as const)('%s is rejected with its field', async ([, change, pointer, code]) => {
    const api = await apiOnSqlite();
    const answer = await api.as(await api.signIn(), {
      method: 'PUT',
      url: `/api/recordings/${newId()}`,
      payload: { ...newImport({ name: 'a.wav', bytes: wav }), ...change },
    });
    expect([answer.statusCode, problemOf(answer).errors?.[0]]).toEqual([
      422,
      expect.objectContaining({ pointer, code }),
    ]);
  });

  test('of a file that is too large is rejected before its bytes', async () => {
    const api = await apiOnSqlite();
    const { registered } = await startImport(api, await api.signIn(), {
      name: 'a.wav',
      bytes: wav,
      sizeBytes: 2 * 1024 ** 3 + 1,
    });
    expect([registered.statusCode, problemOf(registered).code]).toEqual([413, 'too-large']);
  });

  test('accepts only the announced number of bytes, and is not finished with fewer or other bytes', async () => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const { take } = await startImport(api, user, { name: 'a.wav', bytes: wav, sizeBytes: 100 });
    const { finished: shorter } = await importFile(api, user, {
      name: 'b.wav',
      bytes: wav,
      sizeBytes: wav.length + 1,
    });
    const { finished: another } = await importFile(api, user, {
      name: 'c.wav',
      bytes: wav,
      sha256: sha256Of(Buffer.of(1)),
    });
    expect([problemOf(shorter).code, problemOf(another).code]).toEqual([
      'checksum-mismatch',
      'checksum-mismatch',
    ]);
    const tooMuch = await api.app.inject({
      method: 'PATCH',
      url: `/api/uploads/${take.audioId}`,
      payload: wav.subarray(0, 101),
      headers: {
        ...take.bearer,
        'content-type': 'application/partial-upload',
        'upload-offset': '0',
        'upload-epoch': '1',
        'content-digest': `sha-256=:${Buffer.from(sha256Of(wav.subarray(0, 101)), 'hex').toString('base64')}:`,
      },
    });
    expect([tooMuch.statusCode, problemOf(tooMuch).code]).toEqual([413, 'too-large']);
  });

  test('resumes after a restart of the server with the byte after the last one that was stored', async () => {
    const api = await apiOnSqlite();
    const bytes = wavOf(200);
    const { take } = await startImport(api, await api.signIn(), { name: 'long.wav', bytes });
    const send = async (to: typeof api, offset: number) =>
      to.app.inject({
        method: 'PATCH',
        url: `/api/uploads/${take.audioId}`,
        payload: bytes.subarray(offset, offset + 1024 * 1024),
        headers: {
          ...take.bearer,
          'content-type': 'application/partial-upload',
          'upload-offset': String(offset),
          'upload-epoch': '1',
          'content-digest': `sha-256=:${Buffer.from(sha256Of(bytes.subarray(offset, offset + 1024 * 1024)), 'hex').toString('base64')}:`,
        },
      });
    await send(api, 0);
    await send(api, 1024 * 1024);
    const later = await api.restart();
    const state = await later.app.inject({
      method: 'HEAD',
      url: `/api/uploads/${take.audioId}`,
      headers: take.bearer,
    });
    const offset = Number(state.headers['upload-offset']);
    expect(offset).toBe(2 * 1024 * 1024);
    await send(later, offset);
    await send(later, 3 * 1024 * 1024);
    const sealed = await later.app.inject({
      method: 'POST',
      url: `/api/uploads/${take.audioId}/complete`,
      headers: take.bearer,
      payload: { lengthBytes: bytes.length, sha256: sha256Of(bytes), epoch: 1 },
    });
    expect(sealed.statusCode).toBe(200);
  });

  test.for([
    ['words', Buffer.from('Dear diary, this is no sound at all. '.repeat(50)), 'not-audio'],
    [
      'a picture',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
      'not-audio',
    ],
    ['a torn header', wav.subarray(0, 20), 'damaged'],
    ['a header and nothing behind it', wav.subarray(0, 44), 'empty'],
  ] as const)('of %s keeps the file, and reports why nothing can be played', async ([, bytes, reason]) => {
    const api = await apiOnSqlite();
    const user = await api.signIn();
    const { take, recording } = await importFile(api, user, { name: 'x.bin', bytes });
    expect(recording).toMatchObject({ state: 'failed', rendition: 'failed', failureReason: reason });
    const audio = await api.as(user, { url: `/api/recordings/${take.recordingId}/audio` });
    expect([audio.statusCode, problemOf(audio)]).toEqual([
      422,
      expect.objectContaining({
        code: 'unreadable-audio',
        errors: [{ pointer: '/file', code: 'unreadable-audio', params: { reason } }],
      }),
    ]);
    expect(
      (await api.as(user, { url: `/api/recordings/${take.recordingId}/original` })).rawPayload.equals(bytes),
    ).toBe(true);
  });
});
