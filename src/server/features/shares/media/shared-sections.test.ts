import { expect, test } from 'vitest';
import { readSegmentFacts, soundMsOf } from '#audio/ogg/joined-facts.ts';
import { wholePages } from '#audio/ogg/ogg-prefix.ts';
import { hour } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share } from '#contract/shares.ts';
import {
  type ApiUnderTest,
  apiOnSqlite,
  append,
  complete,
  finish,
  oggOfSilence,
  openUpload,
  problemOf,
  startTake,
  type Take,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';
import { listener, share, tokenOf } from '#tests/support/sharing.ts';

const sectionMs = limits.audioSectionMs;
/** The longest packet, which a cut may leave out at each end. */
const packetMs = 25;

/** The shortest silence, which fills the end. */
const silenceMs = 2.5;

const soundMs = async (bytes: Uint8Array): Promise<number> => {
  const facts = await readSegmentFacts(async (from, to) => bytes.subarray(from, to), bytes.length);
  return facts ? soundMsOf(facts) : 0;
};

async function sendSegment(
  api: ApiUnderTest,
  take: Take,
  { index, startMs, seconds }: { index: number; startMs: number; seconds: number },
): Promise<void> {
  const uploadId = index === 0 ? take.audioId : newId();
  if (index > 0) await openUpload(api, take, { uploadId, stream: 'audio', segmentIndex: index, startMs });
  const bytes = oggOfSilence(seconds);
  await append(api, take, { uploadId, offset: 0, bytes });
  await complete(api, take, { uploadId, bytes });
}

interface World {
  api: ApiUnderTest;
  owner: TestUser;
  take: Take;
}

/** A running take of 13 hours: four seconds at its start, ten across the end of the first section, three at its end. */
async function longTake(): Promise<World> {
  const api = await apiOnSqlite();
  const owner = await api.signIn();
  const take = await startTake(api, owner);
  await sendSegment(api, take, { index: 0, startMs: 0, seconds: 4 });
  await sendSegment(api, take, { index: 1, startMs: sectionMs - 4010, seconds: 10 });
  await sendSegment(api, take, { index: 2, startMs: 13 * hour, seconds: 3 });
  return { api, owner, take };
}

const shared = ({ api, owner, take }: World, settings: Partial<NewShare> = {}): Promise<Share> =>
  share({ api, user: owner }, take.recordingId, settings);

const audio = ({ api }: World, link: Share, query: string) =>
  listener(api).send('GET', `/s/${tokenOf(link)}/audio?${query}`);

async function finished(): Promise<World> {
  const world = await longTake();
  await finish(world.api, world.take, { durationMs: 13 * hour + 3000, segmentCount: 3 });
  await world.api.runJobs();
  return world;
}

test('sound of more than twelve hours is served in sections, each a stream from 0 that browsers can count', async () => {
  const world = await finished();
  const link = await shared(world);
  const [first, second] = [await audio(world, link, 'section=0'), await audio(world, link, 'section=1')];
  expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
  expect(Math.abs((await soundMs(first.rawPayload)) - sectionMs)).toBeLessThanOrEqual(silenceMs);
  expect(Math.abs((await soundMs(second.rawPayload)) - (hour + 3000))).toBeLessThanOrEqual(packetMs);
  for (const { rawPayload } of [first, second])
    expect(wholePages(rawPayload)).toMatchObject({ validBytes: rawPayload.length, endsStream: true });
  expect(first.headers.etag).not.toBe(second.headers.etag);
  const range = await listener(world.api).send('GET', `/s/${tokenOf(link)}/audio?section=1`, {
    headers: { range: 'bytes=100-999' },
  });
  expect([range.statusCode, range.rawPayload.equals(second.rawPayload.subarray(100, 1000))]).toEqual([
    206,
    true,
  ]);
  expect(problemOf(await audio(world, link, 'section=2')).code).toBe('not-found');
  expect(problemOf(await audio(world, link, 'section=1001')).code).toBe('validation');
});

test('S12: a section has nothing outside the shared part, and counts from its start', async () => {
  const world = await finished();
  const link = await shared(world, { fromMs: 2000, toMs: sectionMs + 4000 });
  const [first, second] = [await audio(world, link, 'section=0'), await audio(world, link, 'section=1')];
  expect(Math.abs((await soundMs(first.rawPayload)) - sectionMs)).toBeLessThanOrEqual(silenceMs);
  expect(Math.abs((await soundMs(second.rawPayload)) - 2000)).toBeLessThanOrEqual(packetMs);
  expect((await audio(world, link, 'section=2')).statusCode).toBe(404);
});

test('a short part has one section, which is all of it', async () => {
  const world = await finished();
  const link = await shared(world, { fromMs: sectionMs - 3000, toMs: sectionMs + 3000 });
  const all = (await audio(world, link, '')).rawPayload;
  expect((await audio(world, link, 'section=0')).rawPayload.equals(all)).toBe(true);
  expect((await audio(world, link, 'section=1')).statusCode).toBe(404);
});

test('a live link is served in sections of the length that its listener knows', async () => {
  const world = await longTake();
  const link = await shared(world, { live: { delayMs: 0, isHeldAfterStop: false } });
  const until = sectionMs + 2000;
  const second = await audio(world, link, `until=${until}&section=1`);
  expect(Math.abs((await soundMs(second.rawPayload)) - 2000)).toBeLessThanOrEqual(packetMs);
  expect((await audio(world, link, `until=${sectionMs + 900}&section=1`)).statusCode).toBe(404);
  const first = await audio(world, link, `until=${sectionMs + 900}&section=0`);
  expect(Math.abs((await soundMs(first.rawPayload)) - (sectionMs + 900))).toBeLessThanOrEqual(packetMs);
});
