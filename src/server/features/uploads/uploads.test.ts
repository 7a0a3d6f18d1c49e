import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import {
  append,
  apiUnderTest,
  startTake,
  complete,
  digestOf,
  finish,
  oggOfSilence,
  openUpload,
  problemOf,
  recordTake,
  sha256Of,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { startImport } from '#tests/support/import-file.ts';
import { withoutLimits } from '#tests/support/without-limits.ts';
import { newId, storeUpload } from '#tests/support/factories.ts';
import { soundBytes } from '#tests/support/sound-bytes.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    return { api, user, take: await startTake(api, user) };
  };
  const bytes = Buffer.from('a piece of a take');

  test('a take has a limited number of open uploads, and one more after one of them is sealed', async () => {
    const { api, take } = await start();
    // Both streams of the first segment are open.
    for (let index = 1; index <= (serverLimits.openUploadsPerTake - 2) / 2; index += 1) {
      for (const stream of ['audio', 'peaks'] as const)
        await storeUpload(api.database.queries, {
          recording_id: take.recordingId,
          stream,
          segment_index: index,
        });
    }
    const more = {
      uploadId: newId(),
      stream: 'audio',
      segmentIndex: serverLimits.openUploadsPerTake,
    } as const;
    const rejected = await openUpload(api, take, more);
    expect([
      rejected.statusCode,
      problemOf(rejected).code,
      Number(rejected.headers['retry-after']) > 0,
    ]).toEqual([429, 'rate-limited', true]);
    await complete(api, take, { uploadId: take.peaksId, bytes: new Uint8Array() });
    expect((await openUpload(api, take, more)).statusCode).toBe(201);
  });

  describe('appending', () => {
    test('bytes are stored at the end of the upload, and the response states the new offset', async () => {
      const { api, take } = await start();
      const first = await append(api, take, { uploadId: take.audioId, offset: 0, bytes });
      expect([first.statusCode, first.headers['upload-offset'], first.headers['upload-epoch']]).toEqual([
        204,
        '17',
        '1',
      ]);
      await append(api, take, { uploadId: take.audioId, offset: 17, bytes });
      const stored = await api.blobs.read(`recordings/${take.recordingId}/audio-0000`, {
        startByte: 0,
        endByteExclusive: 100,
      });
      expect(Buffer.from(stored)).toEqual(Buffer.concat([bytes, bytes]));
    });

    test('stored bytes sent again get 409 with the true offset, and nothing is stored', async () => {
      const { api, take } = await start();
      await append(api, take, { uploadId: take.audioId, offset: 0, bytes });
      const replay = await append(api, take, { uploadId: take.audioId, offset: 0, bytes });
      expect([replay.statusCode, problemOf(replay).code, replay.headers['upload-offset']]).toEqual([
        409,
        'offset-mismatch',
        '17',
      ]);
      expect((await api.blobs.head(`recordings/${take.recordingId}/audio-0000`))?.sizeBytes).toBe(17);
    });

    test('of two concurrent appends at one offset exactly one is stored', async () => {
      const { api, take } = await start();
      const answers = await Promise.all(
        ['one racer', 'the other'].map((text) =>
          append(api, take, { uploadId: take.audioId, offset: 0, bytes: Buffer.from(text) }),
        ),
      );
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 409]);
      expect((await api.blobs.head(`recordings/${take.recordingId}/audio-0000`))?.sizeBytes).toBe(9);
    });

    test('a wrong digest is rejected and nothing is stored', async () => {
      const { api, take } = await start();
      const answer = await append(api, take, {
        uploadId: take.audioId,
        offset: 0,
        bytes,
        headers: { 'content-digest': `sha-256=:${'A'.repeat(43)}=:` },
      });
      expect([answer.statusCode, problemOf(answer).code]).toEqual([422, 'checksum-mismatch']);
      expect((await append(api, take, { uploadId: take.audioId, offset: 0, bytes })).statusCode).toBe(204);
    });

    test.each(['4611686018427387904', '2147483648', '-1'])(
      'a stored epoch of %s does not block a writer',
      async (epoch) => {
        const { api, take } = await start();
        await withoutLimits(api.database);
        await sql`update uploads set epoch = ${sql.raw(epoch)}`.execute(api.database.queries);
        expect((await append(api, take, { uploadId: take.audioId, offset: 0, bytes })).statusCode).toBe(204);
        expect(
          (await openUpload(api, take, { uploadId: newId(), stream: 'audio', segmentIndex: 1 })).statusCode,
        ).toBe(201);
        expect(
          (
            await api.database.queries
              .selectFrom('uploads')
              .select('epoch')
              .where('id', '=', take.audioId)
              .executeTakeFirstOrThrow()
          ).epoch,
        ).toBe(1);
      },
    );

    test('a higher epoch takes the upload over, even across a restart, and the lower one is superseded', async () => {
      const { api, take } = await start();
      await append(api, take, { uploadId: take.peaksId, offset: 0, bytes: Buffer.alloc(4), epoch: 2 });
      const stale = await append(api, take, { uploadId: take.peaksId, offset: 4, bytes, epoch: 1 });
      expect([stale.statusCode, problemOf(stale).code]).toEqual([409, 'writer-superseded']);
      const restarted = await api.restart();
      const later = await append(restarted, take, { uploadId: take.peaksId, offset: 4, bytes, epoch: 1 });
      expect(problemOf(later).code).toBe('writer-superseded');
    });

    test.for([
      ['no token', {}, 401, 'upload-token-invalid'],
      ['an unknown token', { authorization: 'Bearer nobody' }, 401, 'upload-token-invalid'],
    ] as const)('%s is rejected before the body is read', async ([, headers, status, code]) => {
      const { api, take } = await start();
      const answer = await api.app.inject({
        method: 'PATCH',
        url: `/api/uploads/${take.audioId}`,
        headers: { ...headers, 'content-type': 'text/nonsense' },
        payload: 'x',
      });
      expect([answer.statusCode, problemOf(answer).code]).toEqual([status, code]);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
    });

    test('an expired capability is rejected', async () => {
      const { api, take } = await start();
      api.clock.advance(serverLimits.uploadCapabilityMs);
      expect((await append(api, take, { uploadId: take.audioId, offset: 0, bytes })).statusCode).toBe(401);
    });

    test('the capability of another recording is forbidden', async () => {
      const { api, user, take } = await start();
      const other = await startTake(api, user);
      const answer = await append(api, other, { uploadId: take.audioId, offset: 0, bytes });
      expect([answer.statusCode, problemOf(answer).code]).toEqual([403, 'forbidden']);
    });

    test.for([
      ['another media type', { 'content-type': 'application/json' }, 415, 'unsupported-media-type'],
      ['a compressed body', { 'content-encoding': 'gzip' }, 415, 'unsupported-media-type'],
      ['an offset that is no number', { 'upload-offset': '-1' }, 422, 'validation'],
      ['an absurd offset', { 'upload-offset': '9'.repeat(40) }, 422, 'validation'],
      ['no epoch', { 'upload-epoch': '' }, 422, 'validation'],
      ['a digest of another algorithm', { 'content-digest': 'md5=:AAAA:' }, 422, 'validation'],
    ] as const)('%s is rejected', async ([, headers, status, code]) => {
      const { api, take } = await start();
      const answer = await append(api, take, { uploadId: take.audioId, offset: 0, bytes, headers });
      expect([answer.statusCode, problemOf(answer).code]).toEqual([status, code]);
    });

    test('a piece of one mebibyte is accepted, and one byte more is too large', async () => {
      const { api, take } = await start();
      const largest = soundBytes(limits.appendSizeBytes);
      expect(
        (await append(api, take, { uploadId: take.audioId, offset: 0, bytes: largest })).statusCode,
      ).toBe(204);
      const answer = await append(api, take, {
        uploadId: take.audioId,
        offset: largest.length,
        bytes: Buffer.alloc(largest.length + 1),
      });
      expect([answer.statusCode, problemOf(answer).code]).toEqual([413, 'too-large']);
    });

    test('a take whose first 64 kB are no audio receives no more, however they are cut', async () => {
      const { api, take } = await start();
      const send = (offset: number, sizeBytes: number) =>
        append(api, take, { uploadId: take.audioId, offset, bytes: Buffer.alloc(sizeBytes) });
      expect((await send(0, 65_535)).statusCode).toBe(204);
      for (const sizeBytes of [1, 100_000]) {
        const answer = await send(65_535, sizeBytes);
        expect([answer.statusCode, problemOf(answer).code, problemOf(answer).errors]).toEqual([
          422,
          'unreadable-audio',
          [{ pointer: '', code: 'unreadable-audio', params: { reason: 'not-audio' } }],
        ]);
      }
    });

    test('a take with one page of sound in its first 64 kB is accepted', async () => {
      const { api, take } = await start();
      const damaged = Buffer.alloc(100_000);
      damaged.write('OggS', 50_000, 'latin1');
      const send = (offset: number, piece: Buffer) =>
        append(api, take, { uploadId: take.audioId, offset, bytes: piece });
      expect((await send(0, damaged.subarray(0, 50_002))).statusCode).toBe(204);
      expect((await send(50_002, damaged.subarray(50_002))).statusCode).toBe(204);
    });

    test.for(['a take', 'an import'])(
      'peaks of one day of sound are accepted, and hardly more: for %s',
      async (kind) => {
        const { api, user, take } = await start();
        const { take: imported } = await startImport(api, user, {
          name: 'a.wav',
          bytes,
          sizeBytes: 1024 ** 2,
        });
        const into = kind === 'a take' ? take : imported;
        if (kind === 'an import') await openUpload(api, into, { uploadId: into.peaksId, stream: 'peaks' });
        const piece = Buffer.alloc(limits.appendSizeBytes);
        const statuses: number[] = [];
        for (let count = 0; count < 18; count += 1)
          statuses.push(
            (await append(api, into, { uploadId: into.peaksId, offset: count * piece.length, bytes: piece }))
              .statusCode,
          );
        expect(statuses).toEqual([...Array.from({ length: 17 }, () => 204), 413]);
      },
    );

    test('an unknown upload is not found', async () => {
      const { api, take } = await start();
      expect((await append(api, take, { uploadId: newId(), offset: 0, bytes })).statusCode).toBe(404);
    });
  });

  describe('creating and reading', () => {
    test('creating an upload again returns its stored state', async () => {
      const { api, take } = await start();
      await append(api, take, { uploadId: take.audioId, offset: 0, bytes });
      const again = await openUpload(api, take, { uploadId: take.audioId, stream: 'audio' });
      expect([again.statusCode, again.json()]).toEqual([200, { offset: 17, complete: false, epoch: 1 }]);
    });

    test('a second upload of one segment is rejected', async () => {
      const { api, take } = await start();
      const answer = await openUpload(api, take, { uploadId: newId(), stream: 'audio' });
      expect([answer.statusCode, problemOf(answer).errors]).toEqual([
        422,
        [{ pointer: '/segmentIndex', code: 'taken' }],
      ]);
    });

    test('an id that is not a UUID, and a segment beyond the longest take, are rejected', async () => {
      const { api, take } = await start();
      expect(
        (await openUpload(api, take, { uploadId: 'nonsense', stream: 'audio', segmentIndex: 1 })).statusCode,
      ).toBe(422);
      expect(
        (
          await openUpload(api, take, {
            uploadId: newId(),
            stream: 'audio',
            segmentIndex: 1,
            startMs: limits.maxTakeMs + 1,
          })
        ).statusCode,
      ).toBe(422);
    });

    test('a lower epoch may not create the upload again', async () => {
      const { api, take } = await start();
      await openUpload(api, take, { uploadId: take.audioId, stream: 'audio', epoch: 5 });
      expect(
        problemOf(await openUpload(api, take, { uploadId: take.audioId, stream: 'audio', epoch: 4 })).code,
      ).toBe('writer-superseded');
    });

    test('HEAD returns offset, digest, completeness and epoch, and a device without its copy seals with them', async () => {
      const { api, take } = await start();
      await append(api, take, { uploadId: take.audioId, offset: 0, bytes });
      const head = () =>
        api.app.inject({ method: 'HEAD', url: `/api/uploads/${take.audioId}`, headers: take.bearer });
      const answer = await head();
      expect(answer.statusCode).toBe(204);
      expect(answer.headers).toMatchObject({
        'upload-offset': '17',
        'repr-digest': digestOf(bytes),
        'upload-complete': '?0',
        'upload-epoch': '1',
      });
      expect((await complete(api, take, { uploadId: take.audioId, bytes })).statusCode).toBe(200);
      expect((await head()).headers).toMatchObject({
        'upload-offset': '17',
        'repr-digest': digestOf(bytes),
        'upload-complete': '?1',
      });
    });
  });

  describe('the receipt', () => {
    test('a sealed upload returns the same receipt again and accepts no more bytes', async () => {
      const { api, take } = await start();
      await append(api, take, { uploadId: take.audioId, offset: 0, bytes });
      const receipt = await complete(api, take, { uploadId: take.audioId, bytes });
      api.clock.advance(5000);
      const again = await complete(api, take, { uploadId: take.audioId, bytes });
      expect(receipt.json()).toMatchObject({
        uploadId: take.audioId,
        lengthBytes: 17,
        sha256: sha256Of(bytes),
      });
      expect(again.json()).toEqual(receipt.json());
      const late = await append(api, take, { uploadId: take.audioId, offset: 17, bytes });
      expect([late.statusCode, problemOf(late).code]).toEqual([409, 'already-finished']);
    });

    test('a wrong length returns the true offset, a wrong hash is a checksum mismatch, and neither seals', async () => {
      const { api, take } = await start();
      await append(api, take, { uploadId: take.audioId, offset: 0, bytes });
      const short = await complete(api, take, { uploadId: take.audioId, bytes: bytes.subarray(1) });
      expect([short.statusCode, short.headers['upload-offset']]).toEqual([409, '17']);
      const wrong = await complete(api, take, {
        uploadId: take.audioId,
        bytes: Buffer.from('A piece of a take'),
      });
      expect([wrong.statusCode, problemOf(wrong).code]).toEqual([422, 'checksum-mismatch']);
      expect((await append(api, take, { uploadId: take.audioId, offset: 17, bytes })).statusCode).toBe(204);
    });

    test('the hash is right after a restart in the middle of the take', async () => {
      const { api, take } = await start();
      const audio = oggOfSilence();
      const half = audio.lastIndexOf('OggS');
      await append(api, take, { uploadId: take.audioId, offset: 0, bytes: audio.subarray(0, half) });
      const restarted = await api.restart();
      await append(restarted, take, { uploadId: take.audioId, offset: half, bytes: audio.subarray(half) });
      expect((await complete(restarted, take, { uploadId: take.audioId, bytes: audio })).statusCode).toBe(
        200,
      );
    });
  });

  test('a tail torn by a crash is cut to whole pages, and the device resumes from there', async () => {
    const { api, take } = await start();
    const audio = oggOfSilence();
    const lastPage = audio.lastIndexOf('OggS');
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes: audio.subarray(0, lastPage + 20) });
    await api.blobs.append(`recordings/${take.recordingId}/audio-0000`, {
      offsetBytes: lastPage + 20,
      bytes: Buffer.alloc(4096),
    });
    const restarted = await api.restart();
    const behind = await append(restarted, take, {
      uploadId: take.audioId,
      offset: lastPage + 20,
      bytes: audio.subarray(lastPage + 20),
    });
    expect([behind.statusCode, behind.headers['upload-offset']]).toEqual([409, String(lastPage)]);
    await append(restarted, take, {
      uploadId: take.audioId,
      offset: lastPage,
      bytes: audio.subarray(lastPage),
    });
    expect((await complete(restarted, take, { uploadId: take.audioId, bytes: audio })).statusCode).toBe(200);
  });

  test('peaks are cut to whole points after a crash', async () => {
    const { api, take } = await start();
    await append(api, take, { uploadId: take.peaksId, offset: 0, bytes: Buffer.alloc(7) });
    const restarted = await api.restart();
    const answer = await restarted.app.inject({
      method: 'HEAD',
      url: `/api/uploads/${take.peaksId}`,
      headers: take.bearer,
    });
    expect(answer.headers['upload-offset']).toBe('6');
  });

  test('finishing before every segment is sealed is an offset mismatch; a finished recording gets no new segment', async () => {
    const { api, user, take } = await start();
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes });
    const early = await finish(api, take);
    expect([early.statusCode, problemOf(early).code, early.headers['upload-offset']]).toEqual([
      409,
      'offset-mismatch',
      '17',
    ]);
    const whole = await recordTake(api, user);
    const late = await openUpload(api, whole, { uploadId: newId(), stream: 'audio', segmentIndex: 1 });
    expect([late.statusCode, problemOf(late).code]).toEqual([409, 'already-finished']);
  });
});
