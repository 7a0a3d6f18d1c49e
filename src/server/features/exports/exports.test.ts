import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { day, minute } from '#base/duration.ts';
import { fromVtt } from '#base/labels/vtt.ts';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { exportedRecordingSchema } from '#contract/account-export.ts';
import type { AccountExport } from '#contract/exports-api.ts';
import {
  type ApiUnderTest,
  apiUnderTest,
  startTake,
  type TestUser,
  problemOf,
  recordTake,
  sha256Of,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { importFile } from '#tests/support/import-file.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { storeTranscript } from '#tests/support/stored-transcript.ts';
import { goodLinkPassword, share, tokenOf } from '#tests/support/sharing.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const hasUnzip = spawnSync('unzip', ['-v']).status === 0;

interface Manifest {
  files: { path: string; sizeBytes: number; sha256: string }[];
}

/** Returns the manifest after checking it against every file, except itself and the files it omits by design. */
function provenManifest(files: Map<string, Buffer>): Manifest {
  const manifest: Manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '');
  expect(manifest.files.map(({ path }) => path).toSorted()).toEqual(
    [...files.keys()].filter((path) => path !== 'manifest.json' && path !== 'export.json').toSorted(),
  );
  for (const { path, sizeBytes, sha256 } of manifest.files) {
    const bytes = files.get(path) ?? Buffer.alloc(0);
    expect([path, bytes.length, sha256Of(bytes)]).toEqual([path, sizeBytes, sha256]);
  }
  return manifest;
}

eachDatabase((_name, open) => {
  const setUp = async () => {
    const api = await apiUnderTest(await open());
    return { api, user: await api.signIn() };
  };
  const rename = (api: ApiUnderTest, user: TestUser, { id, title }: { id: string; title: string }) =>
    api.as(user, { method: 'PATCH', url: `/api/recordings/${id}`, payload: { title } });
  const mark = (
    api: ApiUnderTest,
    user: TestUser,
    marker: { recordingId: string; atMs: number; label: string },
  ) =>
    api.as(user, {
      method: 'POST',
      url: `/api/recordings/${marker.recordingId}/markers`,
      payload: { id: newId(), atMs: marker.atMs, label: marker.label },
    });
  /** Adds every kind of data to a recording and returns the ids. */
  const noteAll = async (api: ApiUnderTest, user: TestUser, recordingId: string) => {
    const [tagId, spareTagId, viewId, markerId, momentId, stretchId] = [
      newId(1),
      newId(2),
      newId(),
      newId(),
      newId(),
      newId(),
    ];
    const requests = [
      { method: 'POST', url: '/api/tags', payload: { id: tagId, name: 'Família', colour: 'green' } },
      { method: 'POST', url: '/api/tags', payload: { id: spareTagId, name: 'Spare' } },
      { method: 'POST', url: '/api/views', payload: { id: viewId, name: 'Long ones', query: 'minMs=60000' } },
      {
        method: 'PATCH',
        url: `/api/recordings/${recordingId}`,
        payload: { language: 'de-CH', people: ['Grandmother', '陈'], tagIds: [tagId] },
      },
      {
        method: 'POST',
        url: `/api/recordings/${recordingId}/markers`,
        payload: { id: markerId, atMs: 700, label: 'Anfang', colour: 'violet' },
      },
      {
        method: 'POST',
        url: `/api/recordings/${recordingId}/notes`,
        payload: { id: stretchId, fromMs: 900, toMs: 1500, text: 'She said:\n\n**wool** --> <felt>' },
      },
      {
        method: 'POST',
        url: `/api/recordings/${recordingId}/notes`,
        payload: { id: momentId, fromMs: 300, text: 'a door' },
      },
    ] as const;
    for (const request of requests) {
      const { statusCode, body } = await api.as(user, request);
      expect([request.url, statusCode, statusCode < 300 ? '' : body]).toEqual([
        request.url,
        request.method === 'POST' ? 201 : 200,
        '',
      ]);
    }
    return { tagId, spareTagId, viewId, markerId, momentId, stretchId };
  };
  /** Checks the description in a recording's folder. */
  const expectAllNoted = (
    files: Map<string, Buffer>,
    folder: string,
    ids: Awaited<ReturnType<typeof noteAll>>,
  ): void => {
    const described = JSON.parse(files.get(`${folder}/recording.json`)?.toString() ?? '');
    expect(described).toMatchObject({
      language: 'de-CH',
      people: ['Grandmother', '陈'],
      createdAt: expect.stringMatching(/^2026-11-21T/),
      tags: [{ id: ids.tagId, name: 'Família', colour: 'green' }],
      markers: [
        {
          id: ids.markerId,
          atMs: 700,
          label: 'Anfang',
          colour: 'violet',
          createdAt: expect.stringMatching(/^2026-11-21T/),
        },
      ],
      notes: [
        { id: ids.momentId, fromMs: 300, toMs: null, text: 'a door' },
        { id: ids.stretchId, fromMs: 900, toMs: 1500, text: 'She said:\n\n**wool** --> <felt>' },
      ],
    });
    expect(fromVtt(files.get(`${folder}/markers.vtt`)?.toString() ?? '').labels).toEqual([
      { kind: 'marker', atMs: 700, endMs: null, text: 'Anfang', colour: 'violet' },
    ]);
    expect(fromVtt(files.get(`${folder}/notes.vtt`)?.toString() ?? '').labels).toEqual(
      described.notes.map(
        ({ fromMs, toMs, text }: { fromMs: number; toMs: number | null; text: string }) => ({
          kind: 'note',
          atMs: fromMs,
          endMs: toMs,
          text,
          colour: null,
        }),
      ),
    );
  };
  const zipOf = async (api: ApiUnderTest, user: TestUser, ids: string[]) => {
    const asked = await api.as(user, { method: 'POST', url: '/api/exports/zip', payload: { ids } });
    return { asked, ticket: asked.json<{ ticket: string }>().ticket };
  };
  const gathered = async (api: ApiUnderTest, user: TestUser): Promise<AccountExport> => {
    await api.as(user, { method: 'POST', url: '/api/exports/account' });
    await api.runJobs();
    const { export: made } = (await api.as(user, { url: '/api/exports/account' })).json<{
      export: AccountExport;
    }>();
    return made;
  };

  describe('one recording', () => {
    test('the original is downloaded bit for bit, whole or by range, with its title as name', async () => {
      const { api, user } = await setUp();
      const { recordingId, audio } = await recordTake(api, user);
      await rename(api, user, { id: recordingId, title: 'Über: alles/nichts' });
      const url = `/api/recordings/${recordingId}/download`;
      const whole = await api.as(user, { url });
      const part = await api.as(user, { url, headers: { range: 'bytes=100-299' } });
      expect([whole.statusCode, sha256Of(whole.rawPayload)]).toEqual([200, sha256Of(audio)]);
      expect([part.statusCode, part.rawPayload.equals(audio.subarray(100, 300))]).toEqual([206, true]);
      expect(whole.headers['content-disposition']).toBe(
        'attachment; filename="Uber- alles-nichts.ogg"; filename*=UTF-8\'\'%C3%9Cber-%20alles-nichts.ogg',
      );
    });

    test("another user's recording, a part of an original, and a part that ends before it begins are rejected", async () => {
      const { api, user } = await setUp();
      const { recordingId } = await recordTake(api, user);
      const url = `/api/recordings/${recordingId}/download`;
      const answers = [
        await api.as(await api.signIn(), { url }),
        await api.as(user, { url: `${url}?fromMs=10` }),
        await api.as(user, { url: `${url}?format=wav&fromMs=900&toMs=900` }),
        await api.as(user, { url: `${url}?format=exe` }),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 422, 422, 422]);
    });

    test.runIf(hasFfmpeg).for(['wav', 'flac', 'mp3', 'm4a', 'opus'])(
      'is downloaded in part as %s, with the requested length and its markers as chapters',
      async (format) => {
        const { api, user } = await setUp();
        const { recordingId } = await recordTake(api, user, 6);
        await mark(api, user, { recordingId, atMs: 2500, label: 'Käse; = "Brot"' });
        const answer = await api.as(user, {
          url: `/api/recordings/${recordingId}/download?format=${format}&fromMs=1000&toMs=4500`,
        });
        expect(answer.statusCode).toBe(200);
        const directory = await mkdtemp(join(tmpdir(), 'earshot-converted-'));
        onTestFinished(() => rm(directory, { recursive: true, force: true }));
        const file = join(directory, `a.${format}`);
        await writeFile(file, answer.rawPayload);
        const probed = spawnSync('ffprobe', [
          '-v',
          'error',
          '-show_entries',
          'format=duration:chapter',
          '-show_chapters',
          '-of',
          'json',
          file,
        ]);
        expect(probed.stderr.toString()).toBe('');
        const {
          format: { duration },
          chapters,
        } = JSON.parse(probed.stdout.toString());
        expect(Math.abs(Number(duration) - 3.5)).toBeLessThan(0.1);
        const expected =
          format === 'wav'
            ? []
            : [
                ['Gespräch über 100 % Wolle', 0],
                ['Käse; = "Brot"', 1.5],
              ];
        expect(
          chapters.map(({ tags, start_time: start }: { tags: { title: string }; start_time: string }) => [
            tags.title,
            Number(start),
          ]),
        ).toEqual(expected);
      },
    );

    test.runIf(hasFfmpeg).for(['flac', 'mp3', 'm4a', 'opus'])(
      'is downloaded as %s with the known part of its date',
      async (format) => {
        const { api, user } = await setUp();
        const { recordingId } = await recordTake(api, user, 1);
        const url = `/api/recordings/${recordingId}`;
        const directory = await mkdtemp(join(tmpdir(), 'earshot-dated-'));
        onTestFinished(() => rm(directory, { recursive: true, force: true }));
        const tagged = async (recordedTime: RecordedTime): Promise<string | undefined> => {
          expect((await api.as(user, { method: 'PATCH', url, payload: { recordedTime } })).statusCode).toBe(
            200,
          );
          const file = join(directory, `a.${format}`);
          await writeFile(file, (await api.as(user, { url: `${url}/download?format=${format}` })).rawPayload);
          const { stdout } = spawnSync('ffprobe', [
            '-v',
            'error',
            '-show_entries',
            'format_tags:stream_tags',
            '-of',
            'json',
            file,
          ]);
          const { format: container, streams } = JSON.parse(stdout.toString());
          return Object.entries<string>({ ...streams?.[0]?.tags, ...container?.tags }).find(
            ([name]) => name.toLowerCase() === 'date',
          )?.[1];
        };
        const known = [
          await tagged({ kind: 'date', date: '1961-01-20' }),
          await tagged({ kind: 'date', date: '1962' }),
          await tagged({ kind: 'unknown' }),
        ];
        expect(known).toEqual(['1961-01-20', '1962', undefined]);
        expect(
          await tagged({ kind: 'moment', at: '2024-05-17T22:30:00.000Z', timeZone: 'Europe/Berlin' }),
        ).toBe(format === 'mp3' ? '2024-05-18' : '2024-05-17T22:30:00Z');
      },
    );

    test('the available formats are listed', async () => {
      const { api, user } = await setUp();
      expect((await api.as(user, { url: '/api/exports/formats' })).json()).toEqual({
        formats: hasFfmpeg ? ['original', 'mp3', 'm4a', 'opus', 'flac', 'wav'] : ['original'],
      });
    });
  });

  describe('many recordings', () => {
    test('are exported as one ZIP file with a folder each, unique names in any script, and a correct manifest', async () => {
      const { api, user } = await setUp();
      const takes = [
        await recordTake(api, user, 1),
        await recordTake(api, user, 2),
        await recordTake(api, user, 3),
      ];
      for (const { recordingId } of takes)
        await rename(api, user, { id: recordingId, title: 'مقابلة / 面试: CON' });
      const { asked, ticket } = await zipOf(
        api,
        user,
        takes.map(({ recordingId }) => recordingId),
      );
      expect(asked.statusCode).toBe(201);
      const answer = await api.as(user, { url: `/api/exports/zip/${ticket}` });
      const files = await readZip(answer.rawPayload);
      const folder = '2026-11-21 مقابلة - 面试- CON';
      expect([...files.keys()]).toEqual(
        [folder, `${folder} (2)`, `${folder} (3)`]
          .flatMap((each) => [
            `${each}/audio.ogg`,
            `${each}/recording.json`,
            `${each}/markers.vtt`,
            `${each}/notes.vtt`,
          ])
          .concat('manifest.json'),
      );
      expect(files.get(`${folder} (2)/audio.ogg`)?.equals(takes[1]?.audio ?? Buffer.alloc(0))).toBe(true);
      provenManifest(files);
    });

    test('are exported with their tags, people, language, markers, notes and transcripts', async () => {
      const { api, user } = await setUp();
      const { recordingId } = await recordTake(api, user, 2);
      const ids = await noteAll(api, user, recordingId);
      await storeTranscript(api.database.queries, { recordingId, ownerId: user.id });
      const { ticket } = await zipOf(api, user, [recordingId]);
      const files = await readZip((await api.as(user, { url: `/api/exports/zip/${ticket}` })).rawPayload);
      provenManifest(files);
      expectAllNoted(files, '2026-11-21 Gespräch über 100 % Wolle', ids);
      const transcript = files.get('2026-11-21 Gespräch über 100 % Wolle/transcript.json')?.toString() ?? '';
      expect(JSON.parse(transcript)).toMatchObject({ transcript: { state: 'ready' }, lines: [{}, {}, {}] });
      expect([...files.keys()]).not.toContain('account.json');
    });

    test('a ticket is valid once, for five minutes, and for its owner only', async () => {
      const { api, user } = await setUp();
      const { recordingId } = await recordTake(api, user, 1);
      const { ticket } = await zipOf(api, user, [recordingId]);
      const url = `/api/exports/zip/${ticket}`;
      const other = await api.as(await api.signIn(), { url });
      const looked = await api.as(user, { method: 'HEAD', url });
      const [first, again] = [await api.as(user, { url }), await api.as(user, { url })];
      const late = await zipOf(api, user, [recordingId]);
      api.clock.advance(6 * minute);
      const tooLate = await api.as(user, { url: `/api/exports/zip/${late.ticket}` });
      expect([other, looked, first, again, tooLate].map(({ statusCode }) => statusCode)).toEqual([
        404, 200, 200, 404, 404,
      ]);
    });

    test("another user's recordings are reported as missing, and a request without any is not found", async () => {
      const { api, user } = await setUp();
      const other = await api.signIn();
      const [mine, theirs] = [await recordTake(api, user, 1), await recordTake(api, other, 1)];
      const { asked } = await zipOf(api, user, [mine.recordingId, theirs.recordingId]);
      expect(asked.json()).toMatchObject({ recordingCount: 1, missing: [theirs.recordingId] });
      expect(problemOf((await zipOf(api, user, [theirs.recordingId])).asked).code).toBe('not-found');
    });
  });

  describe('a whole account', () => {
    test('is exported as plain folders with every stored byte, and reports what is left out', async () => {
      const { api, user } = await setUp();
      const take = await recordTake(api, user, 2);
      await mark(api, user, { recordingId: take.recordingId, atMs: 700, label: 'Anfang' });
      await recordTake(api, await api.signIn(), 1);
      await startTake(api, user);
      const made = await gathered(api, user);
      expect(made).toMatchObject({ state: 'ready', recordingCount: 1, leftOut: 1 });
      const answer = await api.as(user, { url: `/api/exports/account/${made.id}/download` });
      expect([answer.statusCode, answer.rawPayload.length, answer.headers['accept-ranges']]).toEqual([
        200,
        made.sizeBytes,
        'bytes',
      ]);
      const files = await readZip(answer.rawPayload);
      provenManifest(files);
      const folder = 'recordings/2026-11-21 Gespräch über 100 % Wolle';
      expect(files.get(`${folder}/audio.ogg`)?.equals(take.audio)).toBe(true);
      const described = JSON.parse(files.get(`${folder}/recording.json`)?.toString() ?? '');
      expect(described).toMatchObject({
        id: take.recordingId,
        durationMs: 1994,
        startedAt: '2026-11-21T09:00:00.000Z',
        markers: [{ atMs: 700, label: 'Anfang' }],
      });
      expect(
        described.files.map(({ uploadId, path }: { uploadId: string; path: string }) => [uploadId, path]),
      ).toEqual([
        [take.audioId, 'audio.ogg'],
        [take.peaksId, 'waveform.bin'],
      ]);
    });

    test("is exported with the notes and markers, tags and saved views of its owner, and no one else's", async () => {
      const { api, user } = await setUp();
      const { recordingId } = await recordTake(api, user, 2);
      const ids = await noteAll(api, user, recordingId);
      const other = await api.signIn();
      await noteAll(api, other, (await recordTake(api, other, 2)).recordingId);
      const made = await gathered(api, user);
      const files = await readZip(
        (await api.as(user, { url: `/api/exports/account/${made.id}/download` })).rawPayload,
      );
      provenManifest(files);
      expectAllNoted(files, 'recordings/2026-11-21 Gespräch über 100 % Wolle', ids);
      expect(JSON.parse(files.get('account.json')?.toString() ?? '')).toEqual({
        tags: [
          { id: ids.tagId, name: 'Família', colour: 'green' },
          { id: ids.spareTagId, name: 'Spare', colour: 'blue' },
        ],
        views: [{ id: ids.viewId, name: 'Long ones', query: 'minMs=60000' }],
        shares: [],
      });
    });

    test('is exported with the settings of its links, without what opens them', async () => {
      const { api, user } = await setUp();
      const { recordingId } = await recordTake(api, user, 2);
      const shared = await share({ api, user }, recordingId, {
        audience: 'named',
        people: ['anna@example.org'],
        password: goodLinkPassword,
        message: 'For you',
        live: { delayMs: 10_000, isHeldAfterStop: true },
      });
      const made = await gathered(api, user);
      const files = await readZip(
        (await api.as(user, { url: `/api/exports/account/${made.id}/download` })).rawPayload,
      );
      const text = files.get('account.json')?.toString() ?? '';
      expect(JSON.parse(text)).toMatchObject({
        shares: [
          {
            id: shared.id,
            recordingId,
            people: ['anna@example.org'],
            message: 'For you',
            expiresAt: shared.expiresAt,
            live: { delayMs: 10_000, isHeldAfterStop: true },
            endedAt: null,
          },
        ],
      });
      for (const secret of [tokenOf(shared), goodLinkPassword, '$argon2id$', 'token', 'password'])
        expect(text).not.toContain(secret);
    });

    test('exported again a day later has the same manifest, byte for byte', async () => {
      const { api, user } = await setUp();
      const { recordingId } = await recordTake(api, user, 2);
      await noteAll(api, user, recordingId);
      const manifests: string[] = [];
      for (const again of [false, true]) {
        if (again) api.clock.advance(day);
        const made = await gathered(api, user);
        const files = await readZip(
          (await api.as(user, { url: `/api/exports/account/${made.id}/download` })).rawPayload,
        );
        manifests.push(files.get('manifest.json')?.toString() ?? '');
      }
      expect(JSON.parse(manifests[0] ?? '')).toMatchObject({
        files: expect.arrayContaining([expect.objectContaining({ path: 'account.json' })]),
      });
      expect(manifests[1]).toBe(manifests[0]);
    });

    test('a request during preparation returns the same export; a later one replaces it and its entries', async () => {
      const { api, user } = await setUp();
      await recordTake(api, user, 1);
      const { id } = (await api.as(user, { method: 'POST', url: '/api/exports/account' })).json<{
        id: string;
      }>();
      expect(await gathered(api, user)).toMatchObject({ id, state: 'ready' });
      api.clock.advance(1);
      const next = await gathered(api, user);
      expect(next.id).not.toBe(id);
      const { queries } = api.database;
      expect(
        (await queries.selectFrom('account_export_entries').select('export_id').distinct().execute()).map(
          (row) => row.export_id,
        ),
      ).toEqual([next.id]);
      expect(
        (await queries.selectFrom('account_exports').select('id').execute()).map(({ id }) => id),
      ).toEqual([next.id]);
    });

    test('is the same byte for byte in any ranges, also after a restart and a change', async () => {
      const { api, user } = await setUp();
      const takes = [await recordTake(api, user, 2), await recordTake(api, user, 30)];
      const made = await gathered(api, user);
      const url = `/api/exports/account/${made.id}/download`;
      const whole = await api.as(user, { url });
      await rename(api, user, { id: takes[0]?.recordingId ?? '', title: 'Another name' });
      const restarted = await api.restart();
      const pieces: Buffer[] = [];
      for (let from = 0; from < made.sizeBytes;) {
        const length = 1 + Math.floor(Math.random() * 4000);
        const headers = {
          range: `bytes=${from}-${from + length - 1}`,
          'if-range': String(whole.headers['etag']),
        };
        const piece = await restarted.as(user, { url, headers });
        expect(piece.statusCode).toBe(206);
        pieces.push(piece.rawPayload);
        from += length;
      }
      expect(sha256Of(Buffer.concat(pieces))).toBe(sha256Of(whole.rawPayload));
    });

    test.runIf(hasUnzip)('is a ZIP file that other programs accept', async () => {
      const { api, user } = await setUp();
      await recordTake(api, user, 2);
      const made = await gathered(api, user);
      const { rawPayload } = await api.as(user, { url: `/api/exports/account/${made.id}/download` });
      const directory = await mkdtemp(join(tmpdir(), 'earshot-zip-'));
      onTestFinished(() => rm(directory, { recursive: true, force: true }));
      await writeFile(join(directory, 'a.zip'), rawPayload);
      expect(spawnSync('unzip', ['-tqq', join(directory, 'a.zip')])).toMatchObject({ status: 0 });
    });

    test('is only accessible to its owner, and ends after a purge of its contents or after seven days', async () => {
      const { api, user } = await setUp();
      const { recordingId } = await recordTake(api, user, 1);
      const made = await gathered(api, user);
      const url = `/api/exports/account/${made.id}/download`;
      const other = await api.as(await api.signIn(), { url });
      await api.as(user, { method: 'DELETE', url: `/api/recordings/${recordingId}` });
      await api.as(user, { method: 'POST', url: `/api/recordings/${recordingId}/purge` });
      const purged = await api.as(user, { url });
      expect((await api.as(user, { url: '/api/exports/account' })).json()).toEqual({ export: null });
      api.clock.advance(7 * day);
      const late = await api.as(user, { url });
      expect([other, purged, late].map(({ statusCode }) => statusCode)).toEqual([404, 410, 404]);
      expect((await api.as(user, { url: '/api/exports/account' })).json()).toEqual({ export: null });
    });

    test('leaves out and counts lost and truncated recordings, and contains all others', async () => {
      const { api, user } = await setUp();
      const [retained, lost, short, undrawn] = [
        await recordTake(api, user),
        await recordTake(api, user),
        await recordTake(api, user),
        await recordTake(api, user),
      ];
      await api.blobs.remove(`recordings/${lost.recordingId}/audio-0000`);
      await api.blobs.truncate(`recordings/${short.recordingId}/audio-0000`, 10);
      await api.blobs.remove(`recordings/${undrawn.recordingId}/peaks-0000`);
      const made = await gathered(api, user);
      expect(made).toMatchObject({
        state: 'ready',
        recordingCount: 2,
        leftOut: 2,
        leftOutRecordings: [lost, short].map(({ recordingId: id }) => ({ id, reason: 'damaged' })),
      });
      const files = await readZip(
        (await api.as(user, { url: `/api/exports/account/${made.id}/download` })).rawPayload,
      );
      expect(
        provenManifest(files)
          .files.filter(({ path }) => path.endsWith('.ogg'))
          .map(({ sha256 }) => sha256),
      ).toEqual([retained, undrawn].map(({ audio }) => sha256Of(audio)));
      const ids = [retained, lost, short, undrawn].map(({ recordingId }) => recordingId);
      const { ticket } = (
        await api.as(user, { method: 'POST', url: '/api/exports/zip', payload: { ids } })
      ).json<{ ticket: string }>();
      const zip = await readZip((await api.as(user, { url: `/api/exports/zip/${ticket}` })).rawPayload);
      expect([...zip.keys()].filter((path) => path.endsWith('.ogg'))).toHaveLength(2);
    });

    test('names the recordings that it leaves out, why, and which of them a new one would contain', async () => {
      const { api, user } = await setUp();
      const [first, second] = [await startTake(api, user), await startTake(api, user)];
      const { recordingId: takenAway } = await startTake(api, user);
      await rename(api, user, { id: second.recordingId, title: 'Interview' });
      const { queries } = api.database;
      const become = (id: string, state: 'abandoned' | 'finishing' | 'ready') =>
        queries.updateTable('recordings').set({ state }).where('id', '=', id).execute();
      await become(second.recordingId, 'abandoned');
      const made = await gathered(api, user);
      const named = async () =>
        (await api.as(user, { url: '/api/exports/account' }))
          .json<{ export: AccountExport | null }>()
          .export?.leftOutRecordings?.map(({ id, title, reason }) => [id, title, reason]);
      expect(made).toMatchObject({ recordingCount: 0, leftOut: 3 });
      const title = made.leftOutRecordings?.[0]?.title;
      const files = await readZip(
        (await api.as(user, { url: `/api/exports/account/${made.id}/download` })).rawPayload,
      );
      expect(JSON.parse(files.get('export.json')?.toString() ?? '')).toMatchObject({
        id: made.id,
        leftOut: [
          { id: first.recordingId, title, reason: 'receiving' },
          { id: second.recordingId, title: 'Interview', reason: 'interrupted' },
          { id: takenAway, title, reason: 'receiving' },
        ],
      });
      await become(first.recordingId, 'finishing');
      await api.as(user, { method: 'DELETE', url: `/api/recordings/${takenAway}` });
      expect(await named()).toEqual([
        [first.recordingId, title, 'processing'],
        [second.recordingId, 'Interview', 'interrupted'],
      ]);
      await become(first.recordingId, 'ready');
      await rename(api, user, { id: second.recordingId, title: 'Second interview' });
      expect(await named()).toEqual([
        [first.recordingId, title, 'finished-since'],
        [second.recordingId, 'Second interview', 'interrupted'],
      ]);
      await become(takenAway, 'abandoned');
      const purged = await api.as(user, { method: 'POST', url: `/api/recordings/${takenAway}/purge` });
      expect(purged.statusCode).toBe(204);
      const ended = await api.as(user, { url: `/api/exports/account/${made.id}/download` });
      expect([ended.statusCode, await named()]).toEqual([410, undefined]);
    });

    test('does not say what an export of an earlier version leaves out', async () => {
      const { api, user } = await setUp();
      await startTake(api, user);
      const { id } = await gathered(api, user);
      await api.database.queries
        .updateTable('account_export_entries')
        .set({ content: JSON.stringify({ id }) })
        .where('path', '=', 'export.json')
        .execute();
      expect((await api.as(user, { url: '/api/exports/account' })).json()).toMatchObject({
        export: { id, leftOut: 1, leftOutRecordings: null },
      });
    });

    test('contains the original of an imported file in which there is nothing to play', async () => {
      const { api, user } = await setUp();
      const bytes = Buffer.from('Dear Sir or Madam, nothing here can be heard.');
      const { recording } = await importFile(api, user, { name: 'call.20240517', bytes });
      expect(recording).toMatchObject({ state: 'failed', rendition: 'failed' });
      const made = await gathered(api, user);
      expect(made).toMatchObject({ recordingCount: 1, leftOut: 0, leftOutRecordings: [] });
      const files = await readZip(
        (await api.as(user, { url: `/api/exports/account/${made.id}/download` })).rawPayload,
      );
      provenManifest(files);
      const path = [...files.keys()].find((each) => each.endsWith('/recording.json')) ?? '';
      const described = exportedRecordingSchema.parse(JSON.parse(files.get(path)?.toString() ?? ''));
      expect(described).toMatchObject({ id: recording.id, durationMs: 0, file: { name: 'call.20240517' } });
      const original = files.get(path.replace('recording.json', described.files[0]?.path ?? ''));
      expect(original?.equals(bytes)).toBe(true);
    });

    test('without recordings is a ZIP file with only its lists', async () => {
      const { api, user } = await setUp();
      const made = await gathered(api, user);
      const files = await readZip(
        (await api.as(user, { url: `/api/exports/account/${made.id}/download` })).rawPayload,
      );
      expect([...files.keys()]).toEqual(['account.json', 'manifest.json', 'export.json']);
    });
  });
});
