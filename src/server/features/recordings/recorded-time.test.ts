import {
  assert,
  asyncProperty,
  constant,
  constantFrom,
  date,
  integer,
  oneof,
  record,
  type Arbitrary,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day, hour } from '#base/duration.ts';
import {
  fileTime,
  isSameTime,
  momentOf,
  type RecordedTime,
  unknownTime,
} from '#base/recorded-time/recorded-time.ts';
import type { AccountExport } from '#contract/exports-api.ts';
import type { RecordingDetails, RecordingPage } from '#contract/recordings.ts';
import type { StorageReport } from '#contract/storage-api.ts';
import {
  type ApiUnderTest,
  apiUnderTest,
  newTake,
  type TestUser,
  problemOf,
  recordTake,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeRecording } from '#tests/support/factories.ts';
import { importFile, newImport } from '#tests/support/import-file.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { putBack } from '#tests/support/put-back.ts';
import { readZip } from '#tests/support/read-zip.ts';

const dated = (text: string): RecordedTime => ({ kind: 'date', date: text });
const local = (dateTime: string): RecordedTime => ({ kind: 'local', dateTime });
const wav = makeWav({ seconds: 1 });

/** One of each kind and precision, in chronological order. */
const ordered: readonly (readonly [string, RecordedTime])[] = [
  ['speech', dated('1961-01-20')],
  ['year', dated('1962')],
  ['month', dated('1962-08')],
  ['day', dated('1962-08-05')],
  ['clock', local('1962-08-05T13:00:00')],
  ['moment', momentOf('2024-05-17T14:03:05.000Z', 'Asia/Kolkata')],
  ['bare moment', momentOf('2024-05-17T14:03:05.123Z', null)],
];

const isoDay: Arbitrary<string> = date({
  min: new Date('1000-01-01T00:00:00Z'),
  max: new Date('2026-11-20T00:00:00Z'),
  noInvalidDate: true,
}).map((value) => value.toISOString());
const anyTime: Arbitrary<RecordedTime> = oneof(
  record({ iso: isoDay, length: constantFrom(4, 7, 10) }).map(({ iso, length }) =>
    dated(iso.slice(0, length)),
  ),
  isoDay.map((iso) => local(iso.slice(0, 19))),
  record({
    iso: isoDay,
    timeZone: constantFrom('UTC', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati', null),
  }).map(({ iso, timeZone }) => momentOf(iso, timeZone)),
  isoDay.map((iso) => fileTime(Date.parse(iso))),
  constant(unknownTime),
);

eachDatabase((_dialect, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    return { api, user: await api.signIn() };
  };
  const register = (api: ApiUnderTest, user: TestUser, given: object) =>
    api.as(user, {
      method: 'PUT',
      url: `/api/recordings/${newId()}`,
      payload: { ...newImport({ name: 'tape.wav', bytes: wav }), ...given },
    });
  const imported = async (
    api: ApiUnderTest,
    user: TestUser,
    { title, recordedTime }: { title: string; recordedTime: RecordedTime },
  ) => {
    const id = newId();
    const {
      startedAt: _startedAt,
      timeZone: _timeZone,
      ...rest
    } = newImport({ name: 'tape.wav', bytes: wav }) as Record<string, unknown>;
    const answer = await api.as(user, {
      method: 'PUT',
      url: `/api/recordings/${id}`,
      payload: { ...rest, title, recordedTime },
    });
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return id;
  };
  const oneOfEach = async (api: ApiUnderTest, user: TestUser) => {
    for (const [title, recordedTime] of [...ordered, ['unknown', unknownTime] as const].toReversed())
      await imported(api, user, { title, recordedTime });
  };
  const list = async (api: ApiUnderTest, user: TestUser, query: Record<string, string>) =>
    (await api.as(user, { url: '/api/recordings', query })).json<RecordingPage>();
  const titles = async (...[api, user, query]: [ApiUnderTest, TestUser, Record<string, string>]) =>
    (await list(api, user, query)).items.map(({ title }) => title);
  const details = async (api: ApiUnderTest, user: TestUser, id: string) =>
    (await api.as(user, { url: `/api/recordings/${id}` })).json<RecordingDetails>();
  const change = (...[api, user, id, recordedTime]: [ApiUnderTest, TestUser, string, unknown]) =>
    api.as(user, { method: 'PATCH', url: `/api/recordings/${id}`, payload: { recordedTime } });

  test('every time is returned as given, after registering and after a change', async () => {
    const { api, user } = await start();
    const id = await imported(api, user, { title: 'tape', recordedTime: unknownTime });
    await assert(
      asyncProperty(anyTime, async (time) => {
        const other = await imported(api, user, { title: 'tape', recordedTime: time });
        await change(api, user, id, time);
        const [told, changed] = [await details(api, user, other), await details(api, user, id)];
        expect([told.recordedTime, changed.recordedTime]).toEqual([time, time]);
        expect(isSameTime(told.recordedTime, time)).toBe(true);
        expect(Number.isNaN(Date.parse(told.startedAt))).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  test('a registration without a recorded time uses its start time', async () => {
    const { api, user } = await start();
    const { recordingId } = await recordTake(api, user);
    expect((await details(api, user, recordingId)).recordedTime).toEqual(
      momentOf(newTake.startedAt, newTake.timeZone),
    );
  });

  test.each([
    [{ startedAt: undefined }, ['/startedAt', 'required']],
    [{ timeZone: undefined }, ['/timeZone', 'required']],
    [{ recordedTime: unknownTime }, ['/startedAt', 'not-allowed']],
    [
      { recordedTime: dated('2023-02-29'), startedAt: undefined, timeZone: undefined },
      ['/recordedTime/date', 'date'],
    ],
    [
      { recordedTime: dated('0999'), startedAt: undefined, timeZone: undefined },
      ['/recordedTime/date', 'date'],
    ],
    [
      { recordedTime: local('2024-05-17T24:00:00'), startedAt: undefined, timeZone: undefined },
      ['/recordedTime/dateTime', 'date'],
    ],
    [
      {
        recordedTime: { kind: 'moment', at: '0999-12-31T00:00:00.000Z', timeZone: null },
        startedAt: undefined,
        timeZone: undefined,
      },
      ['/recordedTime/at', 'date'],
    ],
  ])('a registration with %j is rejected with its field', async (given, [pointer, code]) => {
    const { api, user } = await start();
    const rejected = await register(api, user, given);
    expect([rejected.statusCode, problemOf(rejected).errors?.[0]]).toMatchObject([422, { pointer, code }]);
  });

  test('a take states its own start; a device with a fast clock loses only its time', async () => {
    const { api, user } = await start();
    const rejected = await api.as(user, {
      method: 'PUT',
      url: `/api/recordings/${newId()}`,
      payload: { ...newTake, recordedTime: unknownTime },
    });
    expect(problemOf(rejected).errors?.[0]).toMatchObject({ pointer: '/recordedTime', code: 'not-allowed' });
    const id = newId();
    expect(
      (
        await api.as(user, {
          method: 'PUT',
          url: `/api/recordings/${id}`,
          payload: { ...newTake, startedAt: '2031-01-01T00:00:00.000Z' },
        })
      ).statusCode,
    ).toBe(201);
    expect((await details(api, user, id)).recordedTime).toEqual(unknownTime);
  });

  test('an owner changes the time to a day, but not to one in the future', async () => {
    const { api, user } = await start();
    const { recordingId } = await recordTake(api, user);
    const [row] = await api.database.queries
      .selectFrom('recordings')
      .select('started_at')
      .where('id', '=', recordingId)
      .execute();
    expect(
      (await change(api, user, recordingId, dated('1961-01-20'))).json<RecordingDetails>().recordedTime,
    ).toEqual(dated('1961-01-20'));
    const tomorrow = new Date(api.clock.nowMs() + 2 * day).toISOString();
    for (const future of [
      dated(tomorrow.slice(0, 10)),
      momentOf(tomorrow, 'UTC'),
      local(tomorrow.slice(0, 19)),
    ]) {
      const rejected = await change(api, user, recordingId, future);
      expect([rejected.statusCode, problemOf(rejected).errors]).toEqual([
        422,
        [{ pointer: '/recordedTime', code: 'future' }],
      ]);
    }
    expect((await details(api, user, recordingId)).recordedTime).toEqual(dated('1961-01-20'));
    // The bytes that a take may still send depend on the start that its device stated.
    expect(
      await api.database.queries
        .selectFrom('recordings')
        .select('began_at')
        .where('id', '=', recordingId)
        .execute(),
    ).toEqual([{ began_at: row?.started_at }]);
  });

  test.each(['1', '3', '50'])(
    'the list is sorted by time, unknown times last in both directions, %s per page',
    async (limit) => {
      const { api, user } = await start();
      await oneOfEach(api, user);
      await imported(api, user, { title: 'unknown', recordedTime: unknownTime });
      const all = async (sort: string) => {
        const seen: string[] = [];
        const totals: (number | null)[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const page: RecordingPage = await list(api, user, {
            sort,
            limit,
            ...(cursor === '' ? {} : { cursor }),
          });
          totals.push(page.total);
          seen.push(...page.items.map(({ title }) => title));
          cursor = page.nextCursor;
        }
        expect(totals[0]).toBe(9);
        return seen;
      };
      const inOrder = ordered.map(([title]) => title);
      expect([await all('oldest'), await all('newest')]).toEqual([
        [...inOrder, 'unknown', 'unknown'],
        [...inOrder.toReversed(), 'unknown', 'unknown'],
      ]);
      expect(await titles(api, user, { sort: 'oldest', search: 'unknown' })).toEqual(['unknown', 'unknown']);
    },
  );

  describe.each(['America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Etc/GMT+12'])(
    'days in %s',
    (timeZone) => {
      test('a range contains days and clock times by their own day, and never an unknown time', async () => {
        const { api, user } = await start();
        await oneOfEach(api, user);
        const found = (from?: string, to?: string) =>
          titles(api, user, {
            sort: 'oldest',
            timeZone,
            ...(from === undefined ? {} : { from }),
            ...(to === undefined ? {} : { to }),
          });
        expect(await found('1962-08-05', '1962-08-05')).toEqual(['day', 'clock']);
        expect([await found('1962-08-04', '1962-08-04'), await found('1962-08-06', '1962-08-06')]).toEqual([
          [],
          [],
        ]);
        expect(await found(undefined, '1961-01-20')).toEqual(['speech']);
        expect(await found(undefined, '1961-01-19')).toEqual([]);
        expect(await found('1962-08-05', '1999-12-31')).toEqual(['day', 'clock']);
        expect(await found('1962-01-01', '1962-12-31')).toEqual(['year', 'month', 'day', 'clock']);
        expect(await found('2000-01-01')).toEqual(['moment', 'bare moment']);
        expect((await list(api, user, { from: '1962-08-05', to: '1962-08-05', timeZone })).total).toBe(2);
      });

      test('a moment belongs to the day in the reader’s time zone', async () => {
        const { api, user } = await start();
        await oneOfEach(api, user);
        const shown = new Intl.DateTimeFormat('en-CA', {
          timeZone,
          year: 'numeric',
          month: '2-digit',
          day: '2-digit',
        }).format(Date.parse('2024-05-17T14:03:05Z'));
        expect(await titles(api, user, { timeZone, from: shown, to: shown, sort: 'oldest' })).toEqual([
          'moment',
          'bare moment',
        ]);
      });
    },
  );

  test('both ends of a range are compared by the kind of day of each time', async () => {
    const { api, user } = await start();
    const noon = Date.UTC(2024, 4, 17, 12);
    for (let hours = -36; hours <= 36; hours += 1) {
      const at = new Date(noon + hours * hour).toISOString();
      await storeRecording(api.database.queries, {
        owner_id: user.id,
        title: `moment ${at}`,
        started_at: Date.parse(at),
        state: 'ready',
      });
      await imported(api, user, { title: `local ${at}`, recordedTime: local(at.slice(0, 19)) });
    }
    await assert(
      asyncProperty(
        integer({ min: -14, max: 12 }),
        constantFrom('2024-05-16', '2024-05-17', '2024-05-18'),
        async (west, wanted) => {
          const timeZone = `Etc/GMT${west < 0 ? west : `+${west}`}`;
          const found = await titles(api, user, { timeZone, from: wanted, to: wanted, limit: '200' });
          const expected = Array.from({ length: 73 }, (_, index) => noon + (index - 36) * hour).flatMap(
            (ms) => {
              const dayOf = (shiftMs: number) => new Date(ms + shiftMs).toISOString().slice(0, 10);
              const at = new Date(ms).toISOString();
              return [
                ...(dayOf(-west * hour) === wanted ? [`moment ${at}`] : []),
                ...(dayOf(0) === wanted ? [`local ${at}`] : []),
              ];
            },
          );
          expect(found.toSorted()).toEqual(expected.toSorted());
        },
      ),
      { numRuns: 25 },
    );
  });

  test('a recording is found by the known parts of its date, in both languages', async () => {
    const { api, user } = await start();
    await api.database.queries.updateTable('users').set({ locale: 'de' }).where('id', '=', user.id).execute();
    await oneOfEach(api, user);
    const found = async (search: string) => (await titles(api, user, { search, sort: 'oldest' })).join(', ');
    expect([
      await found('1962'),
      await found('august 1962'),
      await found('5 august 1962'),
      await found('januar 1961'),
      await found('january 1961'),
      await found('20 1961'),
    ]).toEqual(['year, month, day, clock', 'month, day, clock', 'day, clock', 'speech', 'speech', 'speech']);
  });

  test('facets and the storage report list no unknown times under a year', async () => {
    const { api, user } = await start();
    await imported(api, user, { title: 'unknown', recordedTime: unknownTime });
    const facets = async () =>
      (await api.as(user, { url: '/api/recordings/facets' })).json<{
        earliest: string | null;
        latest: string | null;
      }>();
    expect(await facets()).toMatchObject({ earliest: null, latest: null });
    await oneOfEach(api, user);
    expect(await facets()).toMatchObject({
      earliest: '1961-01-20T12:00:00.000Z',
      latest: '2024-05-17T14:03:05.123Z',
    });
    const { years } = (await api.as(user, { url: '/api/storage' })).json<StorageReport>();
    expect(years.map(({ year, count }) => [year, count])).toEqual([
      [2024, 2],
      [1962, 4],
      [1961, 1],
      [null, 2],
    ]);
  });

  test('an account export restores every time, also of an edited take, and names folders by the known parts', async () => {
    const { api, user } = await start();
    const { recordingId } = await recordTake(api, user);
    await change(api, user, recordingId, dated('1999'));
    await importFile(api, user, {
      name: 'speech.wav',
      bytes: makeWav({ seconds: 1 }),
      recordedTime: dated('1961-01-20'),
    });
    for (const [title, recordedTime] of [
      ...ordered.filter(([name]) => ['month', 'clock', 'bare moment'].includes(name)),
      ['unknown', unknownTime] as const,
    ]) {
      const take = await recordTake(api, user);
      await api.as(user, {
        method: 'PATCH',
        url: `/api/recordings/${take.recordingId}`,
        payload: { title, recordedTime },
      });
    }
    await api.as(user, { method: 'POST', url: '/api/exports/account' });
    await api.runJobs();
    const { export: made } = (await api.as(user, { url: '/api/exports/account' })).json<{
      export: AccountExport;
    }>();
    const zip = Buffer.from(
      (await api.as(user, { url: `/api/exports/account/${made.id}/download` })).rawPayload,
    );
    const folders = [...(await readZip(zip)).keys()]
      .filter((path) => path.endsWith('/recording.json'))
      .map((path) => path.split('/').at(-2));
    expect(new Set(folders)).toEqual(
      new Set([
        '1961-01-20 speech',
        '1962-08 month',
        '1962-08-05 clock',
        `1999 ${newTake.title}`,
        '2024-05-17 bare moment',
        'unknown',
      ]),
    );
    const there = await apiUnderTest(await open());
    const other = await there.signIn();
    await putBack({ api: there, user: other }, zip);
    const times = async (api_: ApiUnderTest, whose: TestUser) =>
      (await list(api_, whose, { sort: 'title' })).items.map(({ title, recordedTime }) => [
        title,
        recordedTime,
      ]);
    expect(await times(there, other)).toEqual(await times(api, user));
    const began = (api_: ApiUnderTest) =>
      api_.database.queries
        .selectFrom('recordings')
        .select('began_at')
        .where('id', '=', recordingId)
        .execute();
    expect(await began(there)).toEqual(await began(api));
  });

  test('a row that this version can’t read has an unknown time, and breaks no list', async () => {
    const { api, user } = await start();
    const broken = [
      { recorded_kind: 'date', recorded_date: '1962-13' },
      { recorded_kind: 'local', recorded_date: null },
      { started_at: Date.UTC(0, 0, 1) - 1900 * 365 * day },
    ] as const;
    for (const given of broken)
      await storeRecording(api.database.queries, { owner_id: user.id, state: 'ready', ...given });
    const { items } = await list(api, user, {});
    expect(items.map(({ recordedTime }) => recordedTime)).toEqual(broken.map(() => unknownTime));
  });
});
