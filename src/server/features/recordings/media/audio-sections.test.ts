import { expect, test } from 'vitest';
import { readSegmentFacts, soundMsOf } from '#audio/ogg/joined-facts.ts';
import { wholePages } from '#audio/ogg/ogg-prefix.ts';
import { hour } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import {
  append,
  apiOnSqlite,
  startTake,
  complete,
  oggOfSilence,
  openUpload,
  problemOf,
  recordTake,
  type ApiUnderTest,
  type TestUser,
  type Take,
} from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';

const soundMs = async (bytes: Uint8Array): Promise<number> => {
  const facts = await readSegmentFacts(async (from, to) => bytes.subarray(from, to), bytes.length);
  return facts ? soundMsOf(facts) : 0;
};

async function sendAudio(
  api: ApiUnderTest,
  take: Take,
  segments: readonly { startMs: number; seconds: number }[],
): Promise<void> {
  for (const [segmentIndex, { startMs, seconds }] of segments.entries()) {
    const uploadId = segmentIndex === 0 ? take.audioId : newId();
    if (segmentIndex > 0) await openUpload(api, take, { uploadId, stream: 'audio', segmentIndex, startMs });
    const bytes = oggOfSilence(seconds);
    await append(api, take, { uploadId, offset: 0, bytes });
    await complete(api, take, { uploadId, bytes });
  }
}

const halfDayMs = limits.audioSectionMs;

/** A take of 13 hours: four seconds at its start, ten across the end of the first section, three at its end. */
async function longTake() {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const take = await startTake(api, user);
  await sendAudio(api, take, [
    { startMs: 0, seconds: 4 },
    { startMs: halfDayMs - 4010, seconds: 10 },
    { startMs: 13 * hour, seconds: 3 },
  ]);
  return { api, user, take };
}

const finish = async (
  api: ApiUnderTest,
  take: Take,
  { durationMs, segmentCount = 3 }: { durationMs: number; segmentCount?: number },
): Promise<void> => {
  await api.app.inject({
    method: 'POST',
    url: `/api/recordings/${take.recordingId}/finish`,
    headers: take.bearer,
    payload: { durationMs, segmentCount, gaps: [], pauses: [] },
  });
  await api.runJobs();
};
interface Listening {
  api: ApiUnderTest;
  user: TestUser;
  take: Take;
}
const section = ({ api, user, take }: Listening, index: number, headers = {}) =>
  api.as(user, { url: `/api/recordings/${take.recordingId}/audio?section=${index}`, headers });
const detailsOf = async (api: ApiUnderTest, user: TestUser, take: Take) =>
  (await api.as(user, { url: `/api/recordings/${take.recordingId}` })).json<RecordingDetails>();

test('M2: a take longer than Firefox’s sample counter is served in sections, each a separate stream from 0', async () => {
  const { api, user, take } = await longTake();
  await finish(api, take, { durationMs: 13 * hour + 3000 });
  const { durationMs, audioSectionMs } = await detailsOf(api, user, take);
  expect(audioSectionMs).toBe(halfDayMs);
  const [first, second] = [await section({ api, user, take }, 0), await section({ api, user, take }, 1)];
  expect([first.statusCode, second.statusCode, first.headers['content-type']]).toEqual([
    200,
    200,
    'audio/ogg; codecs=opus',
  ]);
  expect(await soundMs(first.rawPayload)).toBe(halfDayMs);
  expect(Math.abs((await soundMs(second.rawPayload)) - (durationMs - halfDayMs))).toBeLessThanOrEqual(25);
  for (const { rawPayload } of [first, second]) {
    expect(wholePages(rawPayload)).toMatchObject({ validBytes: rawPayload.length, endsStream: true });
    expect(wholePages(rawPayload).lastGranulePosition).toBeLessThan(2 ** 31);
  }
  expect(first.headers.etag).not.toBe(second.headers.etag);
});

test('a section is served by byte range, and again under its tag', async () => {
  const { api, user, take } = await longTake();
  await finish(api, take, { durationMs: 13 * hour + 3000 });
  const whole = (await section({ api, user, take }, 1)).rawPayload;
  const range = await section({ api, user, take }, 1, { range: 'bytes=100-9999' });
  expect([range.statusCode, range.rawPayload.equals(whole.subarray(100, 10_000))]).toEqual([206, true]);
  expect(
    (await section({ api, user, take }, 1, { 'if-none-match': String(range.headers.etag) })).statusCode,
  ).toBe(304);
});

test('there is no section after the last; a rest of less than a second belongs to the previous section', async () => {
  const { api, user, take } = await longTake();
  await finish(api, take, { durationMs: 13 * hour + 3000 });
  expect([
    problemOf(await section({ api, user, take }, 2)).code,
    problemOf(await section({ api, user, take }, 1001)).code,
  ]).toEqual(['not-found', 'validation']);
  const other = await startTake(api, user);
  await sendAudio(api, other, [
    { startMs: 0, seconds: 2 },
    { startMs: halfDayMs - 1500, seconds: 2 },
  ]);
  await finish(api, other, { durationMs: halfDayMs + 500, segmentCount: 2 });
  expect(
    Math.abs((await soundMs((await section({ api, user, take: other }, 0)).rawPayload)) - (halfDayMs + 494)),
  ).toBeLessThanOrEqual(25);
  expect((await section({ api, user, take: other }, 1)).statusCode).toBe(404);
});

test('in a running take the first section is complete once it is full, and the next one grows', async () => {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const take = await startTake(api, user);
  await sendAudio(api, take, [
    { startMs: 0, seconds: 2 },
    { startMs: halfDayMs - 6000, seconds: 3 },
  ]);
  const before = (await section({ api, user, take }, 0)).rawPayload;
  expect(wholePages(before).endsStream).toBe(false);
  expect((await section({ api, user, take }, 1)).statusCode).toBe(404);
  const uploadId = newId();
  await openUpload(api, take, { uploadId, stream: 'audio', segmentIndex: 2, startMs: halfDayMs - 2500 });
  await append(api, take, { uploadId, offset: 0, bytes: oggOfSilence(5) });
  const after = (await section({ api, user, take }, 0)).rawPayload;
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  expect([wholePages(after).endsStream, await soundMs(after)]).toEqual([true, halfDayMs]);
  const growing = (await section({ api, user, take }, 1)).rawPayload;
  expect(wholePages(growing).endsStream).toBe(false);
  expect(Math.abs((await soundMs(growing)) - 2500)).toBeLessThanOrEqual(25);
});

test('a short take has one section, and its whole audio is unchanged', async () => {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const take = await recordTake(api, user, 3);
  await api.runJobs();
  const whole = (await api.as(user, { url: `/api/recordings/${take.recordingId}/audio` })).rawPayload;
  expect((await section({ api, user, take }, 0)).rawPayload.equals(whole)).toBe(true);
  expect((await section({ api, user, take }, 1)).statusCode).toBe(404);
});

test('a section is only served to its owner', async () => {
  const { api, take } = await longTake();
  await finish(api, take, { durationMs: 13 * hour + 3000 });
  const stranger = await api.signIn();
  expect(problemOf(await section({ api, user: stranger, take }, 0)).code).toBe('not-found');
});
