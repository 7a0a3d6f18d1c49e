import { describe, expect, test } from 'vitest';
import type { AccountExport } from '#contract/exports-api.ts';
import type { RejectedWords, RestoredTranscript } from '#contract/restores-api.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { Transcript } from '#contract/transcripts-api.ts';
import {
  type ApiUnderTest,
  apiUnderTest,
  problemOf,
  recordTake,
  startTake,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { putBack } from '#tests/support/put-back.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { storeTranscript } from '#tests/support/stored-transcript.ts';
import { twoServers } from '#tests/support/two-servers.ts';

type Line = RestoredTranscript['lines'][number];
type Correction = RestoredTranscript['corrections'][number];

const createdAt = '2026-11-21T09:30:00.000Z';
const transcript: RestoredTranscript['transcript'] = {
  state: 'ready',
  language: 'en',
  model: 'whisper-small',
  cause: null,
  fromMs: 0,
  toMs: null,
  hearsAll: false,
  heardToMs: 2000,
  createdAt,
  updatedAt: createdAt,
  endedAt: createdAt,
};
const line = (given: Partial<Line> = {}): Line => {
  const { fromMs = 0, text = 'wool' } = given;
  return {
    fromMs,
    toMs: fromMs + 100,
    text,
    times: [[fromMs, fromMs + 100, text.length]],
    chunkFromMs: fromMs,
    chunkToMs: fromMs + 100,
    timing: 'word',
    doubt: null,
    cause: null,
    language: null,
    ...given,
  };
};
const correction = (given: Partial<Correction> = {}): Correction => ({
  id: newId(),
  fromMs: 0,
  toMs: 100,
  text: 'felt',
  revision: 1,
  createdAt,
  updatedAt: createdAt,
  ...given,
});

/** The ZIP file of the whole account. */
async function exported(api: ApiUnderTest, user: TestUser): Promise<Buffer<ArrayBuffer>> {
  await api.as(user, { method: 'POST', url: '/api/exports/account' });
  await api.runJobs();
  const { export: made } = (await api.as(user, { url: '/api/exports/account' })).json<{
    export: AccountExport;
  }>();
  return Buffer.from((await api.as(user, { url: `/api/exports/account/${made.id}/download` })).rawPayload);
}

const transcriptIn = async (zip: Buffer): Promise<string | undefined> =>
  [...(await readZip(zip))].find(([path]) => path.endsWith('/transcript.json'))?.[1].toString();

eachDatabase((_name, open) => {
  describe('the transcript of an exported recording', () => {
    test('is restored as it was, and found', async () => {
      const { api, user, elsewhere, newcomer } = await twoServers(open);
      const { recordingId } = await recordTake(api, user);
      await storeTranscript(api.database.queries, { recordingId, ownerId: user.id });
      const zip = await exported(api, user);
      expect(await putBack({ api: elsewhere, user: newcomer }, zip)).toMatchObject({
        matches: ['unused'],
        leftOutWords: [],
      });
      const again = await transcriptIn(await exported(elsewhere, newcomer));
      expect(again).toBe(await transcriptIn(zip));
      expect(JSON.parse(again ?? '')).toMatchObject({
        format: 'earshot-transcript',
        version: 1,
        transcript: { state: 'ready', model: 'whisper-small', heardToMs: 1900 },
        lines: [{ text: 'My grandmother’s words: 祖母 😀' }, { doubt: 'loop' }, { cause: 'no-speech' }],
        corrections: [{ fromMs: 1000, toMs: 1500, text: 'corrected “words”', revision: 3 }],
      });
      await elsewhere.startLibrary();
      await elsewhere.runJobs();
      for (const search of ['grandmother', 'corrected'])
        expect(
          (await elsewhere.as(newcomer, { url: `/api/recordings?search=${search}` }))
            .json<{ items: { id: string }[] }>()
            .items.map(({ id }) => id),
        ).toEqual([recordingId]);
    });

    test('is stopped at its cursor if it was not complete', async () => {
      const { api, user, elsewhere, newcomer } = await twoServers(open);
      const { recordingId } = await recordTake(api, user);
      await storeTranscript(api.database.queries, {
        recordingId,
        ownerId: user.id,
        state: 'running',
        heard_to_ms: 1200,
        ended_at: null,
      });
      await putBack({ api: elsewhere, user: newcomer }, await exported(api, user));
      const url = `/api/recordings/${recordingId}/transcript`;
      expect((await elsewhere.as(newcomer, { url })).json<Transcript>()).toMatchObject({
        state: 'stopped',
        heardToMs: 1200,
      });
    });

    test('is in no file if there is none', async () => {
      const { api, user } = await twoServers(open);
      await recordTake(api, user);
      expect(await transcriptIn(await exported(api, user))).toBeUndefined();
    });
  });

  describe('the import of a transcript', () => {
    const start = async () => {
      const api = await apiUnderTest(await open());
      const user = await api.signIn();
      // As an import that began and has not sent its files.
      const { recordingId } = await startTake(api, user);
      const send = (body: Partial<RestoredTranscript> | object, id = recordingId, by: TestUser = user) =>
        api.as(by, {
          method: 'POST',
          url: `/api/restores/recordings/${id}/transcript`,
          payload: { durationMs: 2000, transcript: null, lines: [], corrections: [], ...body },
        });
      const rejectedOf = async (body: Partial<RestoredTranscript>) =>
        (await send(body)).json<{ rejected: RejectedWords[] }>().rejected;
      const read = async () =>
        (await api.as(user, { url: `/api/recordings/${recordingId}/transcript` })).json<Transcript>();
      return { api, user, recordingId, send, rejectedOf, read };
    };

    test('adds each line and correction once, and changes none that is there', async () => {
      const { rejectedOf, read } = await start();
      const [one, two] = [correction(), correction({ fromMs: 100, toMs: 200, text: '' })];
      const words = { transcript, lines: [line(), line({ fromMs: 500 })], corrections: [one, two] };
      expect([await rejectedOf(words), await rejectedOf(words)]).toEqual([[], []]);
      const changed = {
        transcript: { ...transcript, state: 'failed' as const },
        lines: [line({ text: 'silk' })],
        corrections: [{ ...one, text: 'silk' }],
      };
      expect(await rejectedOf(changed)).toEqual([]);
      const { state, lines } = await read();
      expect([state, lines.map(({ text }) => text)]).toEqual(['ready', ['felt', '', 'wool']]);
    });

    test('leaves out wrong lines, says why, and takes the others', async () => {
      const { rejectedOf, read } = await start();
      const long = 'a'.repeat(serverLimits.transcript.lineLength + 1);
      const wrong: [Partial<Line>, string][] = [
        [{ toMs: 0, fromMs: 10 }, 'range'],
        [{ fromMs: 9000 }, 'range'],
        [{ chunkFromMs: 200 }, 'range'],
        [{ text: long }, 'text'],
        [{ text: 'a\u0007b' }, 'text'],
        [{ times: [[0, 100, 3]] }, 'times'],
        [{ times: [[100, 0, 4]] }, 'times'],
        [{ times: [] }, 'times'],
      ];
      const lines = [...wrong.map(([given]) => line(given)), line({ fromMs: 700 })];
      expect((await rejectedOf({ lines })).map(({ kind, reason }) => [kind, reason])).toEqual(
        wrong.map(([, reason]) => ['line', reason]),
      );
      expect((await read()).lines.map(({ fromMs }) => fromMs)).toEqual([700]);
    });

    test('leaves out wrong corrections, also those over others', async () => {
      const { api, user, rejectedOf } = await start();
      const other = await recordTake(api, user);
      const used = newId();
      await api.as(user, {
        method: 'PUT',
        url: `/api/recordings/${other.recordingId}/transcript/corrections/${used}`,
        payload: { fromMs: 0, toMs: 100, text: 'x', revision: 0 },
      });
      await rejectedOf({ corrections: [correction()] });
      const wrong: [Partial<Correction>, string][] = [
        [{ fromMs: 50, toMs: 150 }, 'overlaps'],
        [{ fromMs: 300, toMs: 300 }, 'range'],
        [{ fromMs: 300, toMs: 9000 }, 'range'],
        [{ fromMs: 300, toMs: 400, text: 'a\u0007b' }, 'text'],
        [{ fromMs: 300, toMs: 400, text: 'x'.repeat(5001) }, 'text'],
        [{ fromMs: 300, toMs: 400, id: used }, 'taken'],
      ];
      const corrections = [
        ...wrong.map(([given]) => correction(given)),
        correction({ fromMs: 300, toMs: 400 }),
        correction({ fromMs: 399, toMs: 500 }),
      ];
      expect((await rejectedOf({ corrections })).map(({ kind, reason }) => [kind, reason])).toEqual(
        [...wrong.map(([, reason]) => reason), 'overlaps'].map((reason) => ['correction', reason]),
      );
    });

    test('is limited by the text of a recording', async () => {
      const { api, recordingId, rejectedOf } = await start();
      const text = 'a'.repeat(serverLimits.transcript.maxTextLength - 5);
      await api.database.queries
        .insertInto('transcript_lines')
        .values({
          recording_id: recordingId,
          from_ms: 0,
          to_ms: 1,
          chunk_from_ms: 0,
          chunk_to_ms: 1,
          timing: 'word',
          doubt: null,
          cause: null,
          language: null,
          text,
          times: '[]',
          words: '',
          words_version: 1,
        })
        .execute();
      expect(await rejectedOf({ lines: [line({ fromMs: 500 }), line({ fromMs: 700 })] })).toEqual([
        { kind: 'line', fromMs: 700, reason: 'too-many' },
      ]);
    });

    test('is for the owner of a recording that is being imported', async () => {
      const { api, user, send } = await start();
      const { recordingId: complete } = await recordTake(api, user);
      const answers = [
        await send({}, complete),
        await send({}, undefined, await api.signIn()),
        await send({}, newId()),
      ];
      expect(answers.map((answer) => problemOf(answer).code)).toEqual([
        'restore-conflict',
        'not-found',
        'not-found',
      ]);
    });

    test('is validated field by field', async () => {
      const { send } = await start();
      const wrong: [object, string][] = [
        [{ lines: [{ ...line(), fromMs: -1 }] }, '/lines/0/fromMs'],
        [{ lines: [{ ...line(), toMs: 1e300 }] }, '/lines/0/toMs'],
        [{ lines: [{ ...line(), words: 'x' }] }, '/lines/0/words'],
        [{ lines: Array.from({ length: 501 }, () => line()) }, '/lines'],
        [{ corrections: [{ ...correction(), id: 'x' }] }, '/corrections/0/id'],
        [{ transcript: { ...transcript, state: 'done' } }, '/transcript/state'],
        [{ transcript: { ...transcript, model: 'a\u0000' } }, '/transcript/model'],
        [{ durationMs: '2000' }, '/durationMs'],
        [{ ownerId: 'x' }, '/ownerId'],
      ];
      for (const [body, pointer] of wrong) {
        const problem = problemOf(await send(body));
        expect([problem.code, problem.errors?.map((error) => error.pointer)]).toEqual([
          'validation',
          expect.arrayContaining([pointer]),
        ]);
      }
    });
  });
});
