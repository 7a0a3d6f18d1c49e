import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { RestoredRecording } from '#contract/restores-api.ts';
import {
  append,
  type ApiUnderTest,
  type Installed,
  startTake,
  complete,
  finish,
  oggOfSilence,
  openUpload,
  type TestUser,
  problemOf,
  recordTake,
  sha256Of,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { insist, twoServers } from '#tests/support/two-servers.ts';
import { newId } from '#tests/support/factories.ts';

eachDatabase((_name, open) => {
  const start = (installed: Installed = {}) => twoServers(open, installed);

  describe('an imported recording', () => {
    const described = (): RestoredRecording => {
      const audio = oggOfSilence(2);
      return {
        title: 'Wool',
        startedAt: '2020-02-03T04:05:06.789Z',
        timeZone: 'Europe/Berlin',
        format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
        source: 'microphone',
        language: null,
        file: null,
        deviceLabel: null,
        createdAt: '2020-02-03T04:05:07.000Z',
        people: [],
        tags: [],
        isFavourite: false,
        passages: [],
        position: null,
        files: [
          {
            uploadId: newId(),
            stream: 'audio',
            index: 0,
            startMs: 0,
            container: 'ogg',
            sizeBytes: audio.length,
            sha256: sha256Of(audio),
          },
        ],
      };
    };
    const putting = (id: string, payload: object): InjectOptions => ({
      method: 'PUT',
      url: `/api/restores/recordings/${id}`,
      payload,
    });
    const checked = async (
      api: ApiUnderTest,
      user: TestUser,
      { id, files }: Pick<RestoredRecording, 'files'> & { id: string },
    ): Promise<unknown> =>
      (
        await api.as(user, {
          method: 'POST',
          url: '/api/restores/check',
          payload: {
            recordings: [{ id, files: files.map(({ uploadId, sha256 }) => ({ uploadId, sha256 })) }],
          },
        })
      ).json<{ recordings: { match: string }[] }>().recordings[0]?.match;

    test('is rejected without overwriting anything if its id or one of its files is in use', async () => {
      const { api, user } = await start();
      const other = await api.signIn();
      const [mine, theirs] = [await recordTake(api, user, 1), await recordTake(api, other, 1)];
      const running = await startTake(api, user);
      const wanted = described();
      const borrowed = {
        ...wanted,
        files: wanted.files.map((file) => ({ ...file, uploadId: theirs.audioId })),
      };
      const attempts = [
        [theirs.recordingId, wanted, 'id-taken'],
        [mine.recordingId, wanted, 'conflict'],
        [running.recordingId, wanted, 'conflict'],
        [newId(), borrowed, 'id-taken'],
      ] as const;
      for (const [id, body, match] of attempts) {
        const answer = await api.as(user, putting(id, body));
        expect([answer.statusCode, problemOf(answer).code, problemOf(answer).errors]).toEqual([
          409,
          'restore-conflict',
          [{ pointer: '/id', code: match }],
        ]);
        expect(await checked(api, user, { ...body, id })).toBe(match);
      }
      expect((await api.as(other, { url: `/api/recordings/${theirs.recordingId}` })).json()).toMatchObject({
        title: 'Gespräch über 100 % Wolle',
        state: 'ready',
      });
    });

    test('is not restored from the trash, nor after it was purged', async () => {
      const { api, user } = await start();
      const wanted = described();
      const id = newId();
      expect((await api.as(user, putting(id, wanted))).statusCode).toBe(201);
      expect(await checked(api, user, { ...wanted, id })).toBe('importing');
      await insist(api, user, { method: 'DELETE', url: `/api/recordings/${id}` });
      expect(problemOf(await api.as(user, putting(id, wanted))).errors).toEqual([
        { pointer: '/id', code: 'trashed' },
      ]);
      await insist(api, user, { method: 'POST', url: `/api/recordings/${id}/purge` });
      expect(problemOf(await api.as(user, putting(id, wanted))).errors).toEqual([
        { pointer: '/id', code: 'deleted' },
      ]);
    });

    test('requires exactly the announced bytes', async () => {
      const { api, user } = await start();
      const wanted = described();
      const recordingId = newId();
      const {
        upload: { token },
      } = (await api.as(user, putting(recordingId, wanted))).json<{ upload: { token: string } }>();
      const take = {
        recordingId,
        token,
        audioId: wanted.files[0]?.uploadId ?? '',
        peaksId: '',
        bearer: { authorization: `Bearer ${token}` },
      };
      const bytes = oggOfSilence(1);
      await openUpload(api, take, { uploadId: take.audioId, stream: 'audio' });
      expect(
        (await append(api, take, { uploadId: take.audioId, offset: 0, bytes: oggOfSilence(30) })).statusCode,
      ).toBe(413);
      await append(api, take, { uploadId: take.audioId, offset: 0, bytes });
      await complete(api, take, { uploadId: take.audioId, bytes });
      await finish(api, take);
      await api.runJobs();
      expect(await checked(api, user, { ...wanted, id: recordingId })).toBe('conflict');
    });

    test('requires space before its bytes, and the response states how much there is', async () => {
      const { elsewhere, newcomer } = await start({ quotaBytes: 100 });
      const answer = await elsewhere.as(newcomer, putting(newId(), described()));
      expect([answer.statusCode, problemOf(answer).errors]).toEqual([
        413,
        [{ pointer: '/files', code: 'quota-exceeded', params: { used: 0, limit: 100 } }],
      ]);
      const asked = await elsewhere.as(newcomer, {
        method: 'POST',
        url: '/api/restores/check',
        payload: {
          recordings: [
            { id: newId(), files: described().files.map(({ uploadId, sha256 }) => ({ uploadId, sha256 })) },
          ],
        },
      });
      expect(asked.json()).toMatchObject({
        usedBytes: 0,
        quotaBytes: 100,
        recordings: [{ match: 'unused', state: 'new' }],
      });
    });

    test('is validated field by field', async () => {
      const { api, user } = await start();
      const wanted = described();
      const [file] = wanted.files;
      const wrong = [
        [{ ...wanted, files: [] }, '/files'],
        [{ ...wanted, files: [{ ...file, index: 1 }] }, '/files'],
        [{ ...wanted, files: [file, file] }, '/files'],
        [{ ...wanted, files: [{ ...file, container: 'original' }] }, '/files/0/container'],
        [{ ...wanted, source: 'import' }, '/file'],
        [{ ...wanted, createdAt: 'yesterday' }, '/createdAt'],
        [{ ...wanted, ownerId: user.id }, '/ownerId'],
        [{ ...wanted, title: 'a\u0007b' }, '/title'],
      ] as const;
      for (const [body, pointer] of wrong) {
        const answer = await api.as(user, putting(newId(), body));
        expect([answer.statusCode, problemOf(answer).errors?.map((error) => error.pointer)]).toEqual([
          422,
          expect.arrayContaining([pointer]),
        ]);
      }
      expect((await api.as(null, putting(newId(), wanted))).statusCode).toBe(401);
    });

    test('accepts markers and notes with new ids only, and none once it is complete', async () => {
      const { api, user } = await start();
      const { recordingId } = await recordTake(api, user, 1);
      const wanted = described();
      const id = newId();
      await api.as(user, putting(id, wanted));
      const marker = {
        id: newId(),
        atMs: 5,
        label: 'x',
        colour: 'blue',
        createdAt: '2020-02-03T04:05:07.000Z',
      };
      const labels = (recording: string, markers: object[], who = user) =>
        api.as(who, {
          method: 'POST',
          url: `/api/restores/recordings/${recording}/labels`,
          payload: { markers, notes: [] },
        });
      const used = newId();
      await insist(api, user, {
        method: 'POST',
        url: `/api/recordings/${recordingId}/markers`,
        payload: { id: used, atMs: 5 },
      });
      const answers = [
        await labels(id, [marker]),
        await labels(id, [marker]),
        await labels(id, [{ ...marker, id: used }]),
        await labels(recordingId, [marker]),
        await labels(id, [marker], await api.signIn()),
        await labels(newId(), [marker]),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 422, 409, 404, 404]);
      expect(problemOf(answers[2] ?? (await labels(id, []))).errors).toEqual([
        { pointer: '/markers/0/id', code: 'taken' },
      ]);
    });
  });
});
