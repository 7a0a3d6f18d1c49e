import { beforeEach, describe, expect, test } from 'vitest';
import { pagesOf } from '#audio/ogg/joined.suite.ts';
import { packetsOf } from '#audio/ogg/ogg-page.ts';
import { pyramidHeaderBytes, readPyramidHeader } from '#audio/peaks/peaks-pyramid.ts';
import { minute } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import type { Passage, PutPassage } from '#contract/passages-api.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share, SharedRecording } from '#contract/shares.ts';
import { answerOf, rejection } from '#tests/support/accounts-under-test.ts';
import {
  type ApiUnderTest,
  apiUnderTest,
  append,
  complete,
  finish,
  startTake,
  type Take,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { oggOfPackets } from '#tests/support/ogg-of-packets.ts';
import { changeShareOf, listener, openShared, share, tokenOf } from '#tests/support/sharing.ts';

const seconds = 60;
/** Every packet of 20 ms contains its number. */
const audio = oggOfPackets(
  Array.from({ length: seconds * 50 }, (_, index) =>
    new Uint8Array(40)
      .fill(1)
      .fill(0xf8, 0, 1)
      .fill(index & 255, 1, 2)
      .fill(index >> 8, 2, 3),
  ),
);
/** Every point contains the second that it is in. */
const peaks = Buffer.from(
  Int8Array.from({ length: seconds * 200 }, (_, index) => Math.floor(index / 200) + 1).buffer,
);

eachDatabase((_name, open) => {
  let api: ApiUnderTest;
  let owner: TestUser;
  let take: Take;
  let sentBytes: { audio: number; peaks: number };

  beforeEach(async () => {
    api = await apiUnderTest(await open());
    owner = await api.signIn();
    take = await startTake(api, owner);
    sentBytes = { audio: 0, peaks: 0 };
  });

  /** Sends the sound and the peaks up to a moment. */
  async function sendUntil(untilMs: number): Promise<void> {
    for (const [stream, bytes] of [
      ['audio', audio],
      ['peaks', peaks],
    ] as const) {
      const untilByte = Math.floor((untilMs / (seconds * 1000)) * bytes.length);
      await append(api, take, {
        uploadId: take[`${stream}Id`],
        offset: sentBytes[stream],
        bytes: bytes.subarray(sentBytes[stream], untilByte),
      });
      sentBytes[stream] = untilByte;
    }
  }

  async function stop(): Promise<void> {
    await sendUntil(seconds * 1000);
    await complete(api, take, { uploadId: take.audioId, bytes: audio });
    await complete(api, take, { uploadId: take.peaksId, bytes: peaks });
    await finish(api, take, { durationMs: seconds * 1000 });
    await api.runJobs();
  }

  const put = (passage: PutPassage, id = newId(), headers: Record<string, string> = take.bearer) =>
    api.app.inject({
      method: 'PUT',
      url: `/api/recordings/${take.recordingId}/passages/${id}`,
      headers,
      payload: passage,
    });
  const putPassage = async (passage: PutPassage, id = newId()): Promise<Passage> =>
    answerOf<Passage>(await put(passage, id));
  const release = (id: string, user = owner) =>
    api.as(user, { method: 'DELETE', url: `/api/recordings/${take.recordingId}/passages/${id}` });
  const details = async (): Promise<RecordingDetails> =>
    answerOf(await api.as(owner, { method: 'GET', url: `/api/recordings/${take.recordingId}` }));
  const live = (delayMs: NonNullable<NewShare['live']>['delayMs'], settings: Partial<NewShare> = {}) =>
    share({ api, user: owner }, take.recordingId, { ...settings, live: { delayMs, isHeldAfterStop: false } });
  const get = (shared: Share, path: string) => listener(api).send('GET', `/s/${tokenOf(shared)}/${path}`);
  const shown = async (shared: Share): Promise<SharedRecording> =>
    answerOf<SharedRecording>(await openShared(listener(api), shared));

  /** The starts of the packets of the recording that are in some Ogg bytes; 6.5 ms are the encoder's own. */
  const momentsIn = (bytes: Uint8Array): number[] =>
    pagesOf(bytes)
      .slice(2)
      .flatMap((page) => packetsOf(page))
      .filter(({ length }) => length === 40)
      .map((packet) => ((packet[1] ?? 0) + 256 * (packet[2] ?? 0)) * 20 - 6.5);
  /** The seconds of the recording that the finest peaks of a link show. */
  async function secondsInPeaks(shared: Share): Promise<Set<number>> {
    const { rawPayload } = await get(shared, 'peaks');
    const level = readPyramidHeader(rawPayload.subarray(0, pyramidHeaderBytes))?.levels.at(-1);
    return new Set(
      [...rawPayload.subarray(level?.offsetBytes)].filter((value) => value > 0).map((value) => value - 1),
    );
  }
  /** Those that have sound of a passage. */
  const within = (moments: readonly number[], fromMs: number, toMs: number): number[] =>
    moments.filter((atMs) => atMs + 20 > fromMs && atMs < toMs);

  describe('S42: a passage off the record', () => {
    test('starts before the press by the delay, and nothing of it is ever given while it is recorded', async () => {
      const shared = await live(10_000, {
        shows: { title: true, owner: true, date: true, markers: true, notes: true, gaps: true },
      });
      for (const atMs of [5000, 25_000, 45_000])
        await api.as(owner, {
          method: 'POST',
          url: `/api/recordings/${take.recordingId}/markers`,
          payload: { id: newId(), atMs, label: `marker-${atMs}` },
        });
      await sendUntil(30_000);
      const before = (await get(shared, 'audio')).rawPayload;
      const passage = await putPassage({ atMs: 30_100, toMs: null });
      expect(passage).toMatchObject({ fromMs: 20_100, toMs: null });
      await sendUntil(50_000);
      const during = (await get(shared, 'audio')).rawPayload;
      expect(Buffer.compare(during.subarray(0, before.length), before)).toBe(0);
      expect(within(momentsIn(during), 20_100, 60_000)).toEqual([]);
      const now = await shown(shared);
      expect(now).toMatchObject({ state: 'live', isOffRecord: true });
      expect(now.durationMs).toBeGreaterThan(38_000);
      expect(now.offRecord).toEqual([{ atMs: 20_100, durationMs: now.durationMs - 20_100 }]);
      expect(now.markers.map(({ label }) => label)).toEqual(['marker-5000']);
      expect([...(await secondsInPeaks(shared))].filter((second) => second > 20)).toEqual([]);
      const page = await listener(api).send('GET', `/s/${tokenOf(shared)}`);
      expect(page.body).toContain('The speaker has muted the sound.');
    });

    test('ends when it is released, and the sound continues after it', async () => {
      const shared = await live(10_000);
      await sendUntil(20_000);
      const id = newId();
      await putPassage({ atMs: 20_000, toMs: null }, id);
      await sendUntil(30_000);
      const during = (await get(shared, 'audio')).rawPayload;
      expect(await putPassage({ atMs: 20_000, toMs: 30_000 }, id)).toMatchObject({
        fromMs: 10_000,
        toMs: 30_000,
      });
      await sendUntil(50_000);
      const after = (await get(shared, 'audio')).rawPayload;
      expect(Buffer.compare(after.subarray(0, during.length), during)).toBe(0);
      const moments = momentsIn(after);
      expect(within(moments, 10_000, 30_080)).toEqual([]);
      expect(within(moments, 30_100, 39_500).length).toBeGreaterThan(450);
      expect(await shown(shared)).toMatchObject({
        isOffRecord: false,
        offRecord: [{ atMs: 10_000, durationMs: 20_080 }],
      });
    });

    test('stays withheld after Stop, in every answer of every link, until its owner releases it', async () => {
      await sendUntil(20_000);
      const { id } = await putPassage({ atMs: 20_000, toMs: 30_000 });
      await stop();
      const shared = await share({ api, user: owner }, take.recordingId, { download: 'original' });
      const part = await share({ api, user: owner }, take.recordingId, { fromMs: 25_000, toMs: 35_000 });
      const recording = await shown(shared);
      expect(recording).toMatchObject({ state: 'complete', isOffRecord: false, durationMs: 59_994 });
      expect(recording.offRecord).toEqual([{ atMs: 20_000, durationMs: 10_080 }]);
      expect((await shown(part)).offRecord).toEqual([{ atMs: 0, durationMs: 5080 }]);
      const whole = (await get(shared, 'audio')).rawPayload;
      expect(within(momentsIn(whole), 20_000, 30_080)).toEqual([]);
      expect(within(momentsIn((await get(part, 'audio')).rawPayload), 0, 30_080)).toEqual([]);
      expect(momentsIn((await get(shared, 'download')).rawPayload)).toEqual(momentsIn(whole));
      expect([...(await secondsInPeaks(shared))].filter((second) => second >= 20 && second < 30)).toEqual([]);
      expect(recording.downloads).not.toContain('original');
      expect(rejection(await get(shared, 'download?format=original')).code).toBe('share-download-off');

      expect((await details()).passages).toEqual([{ id, fromMs: 20_000, toMs: 30_000 }]);
      const etag = (await get(shared, 'audio')).headers.etag;
      expect((await release(id)).statusCode).toBe(204);
      expect((await release(id)).statusCode).toBe(204);
      expect((await details()).passages).toEqual([]);
      expect(await shown(shared)).toMatchObject({
        offRecord: [],
        downloads: expect.arrayContaining(['original']),
      });
      const released = await get(shared, 'audio');
      expect(released.headers.etag).not.toBe(etag);
      expect(within(momentsIn(released.rawPayload), 20_000, 30_000).length).toBe(501);
    });

    test('without an end is withheld to the end, and its owner has all of it', async () => {
      const shared = await live(0);
      await sendUntil(40_000);
      expect(await putPassage({ atMs: 40_000, toMs: null })).toMatchObject({ fromMs: 40_000 });
      await stop();
      expect(within(momentsIn((await get(shared, 'audio')).rawPayload), 40_000, 60_000)).toEqual([]);
      expect(await shown(shared)).toMatchObject({ durationMs: 59_994 });
      const own = await api.as(owner, { method: 'GET', url: `/api/recordings/${take.recordingId}/audio` });
      expect(momentsIn(own.rawPayload).length).toBe(seconds * 50);
    });

    test('recalls nothing that a link without a delay, or an earlier delay, let listeners have', async () => {
      const shared = await live(0);
      await sendUntil(30_000);
      const raised = await changeShareOf({ api, user: owner }, shared, {
        live: { delayMs: 10_000, isHeldAfterStop: false },
      });
      expect(raised.statusCode).toBe(200);
      const { fromMs } = await putPassage({ atMs: 32_000, toMs: null });
      expect(fromMs).toBeGreaterThan(29_000);
      expect(fromMs).toBeLessThanOrEqual(30_000);
      await sendUntil(50_000);
      expect(await putPassage({ atMs: 50_000, toMs: null })).toMatchObject({ fromMs: 40_000 });
    });

    test('is ended no earlier than the silence that listeners have, whatever the request says', async () => {
      await live(0);
      await sendUntil(10_000);
      const id = newId();
      await putPassage({ atMs: 10_000, toMs: null }, id);
      await sendUntil(30_000);
      const { toMs } = await putPassage({ atMs: 0, toMs: 0 }, id);
      expect(toMs).toBeGreaterThan(29_000);
      expect(toMs).toBeLessThanOrEqual(30_000);
    });

    test('of a finished recording is shortened only by its release', async () => {
      const shared = await live(0);
      await sendUntil(10_000);
      const id = newId();
      await putPassage({ atMs: 10_000, toMs: null }, id);
      await stop();
      expect((await putPassage({ atMs: 10_000, toMs: 20_000 }, id)).toMs).toBeGreaterThanOrEqual(59_994);
      expect(within(momentsIn((await get(shared, 'audio')).rawPayload), 10_000, 60_000)).toEqual([]);
    });

    test('recalls nothing that a link that was revoked long ago gave', async () => {
      const shared = await live(0);
      await sendUntil(30_000);
      await api.as(owner, { method: 'DELETE', url: `/api/shares/${shared.id}` });
      api.clock.advance(11 * minute);
      await live(10_000);
      const { fromMs } = await putPassage({ atMs: 32_000, toMs: null });
      expect(fromMs).toBeGreaterThan(29_000);
      expect(fromMs).toBeLessThanOrEqual(30_000);
    });

    test('recalls nothing that links gave after Stop, once the recording is reopened', async () => {
      await live(10_000);
      await stop();
      const { upload } = answerOf<{ upload: { token: string } }>(
        await api.as(owner, { method: 'POST', url: `/api/recordings/${take.recordingId}/reopen` }),
      );
      take = { ...take, bearer: { authorization: `Bearer ${upload.token}` } };
      const { fromMs } = await putPassage({ atMs: 60_000, toMs: null });
      expect(fromMs).toBeGreaterThan(59_900);
    });

    test('starts at the press if nobody listens live, and for the link with the shortest delay', async () => {
      await share({ api, user: owner }, take.recordingId);
      expect(await putPassage({ atMs: 5000, toMs: 6000 })).toMatchObject({ fromMs: 5000, toMs: 6000 });
      await live(120_000);
      expect(await putPassage({ atMs: 130_000, toMs: 131_000 })).toMatchObject({ fromMs: 10_000 });
      await live(30_000);
      expect(await putPassage({ atMs: 130_000, toMs: 131_000 })).toMatchObject({ fromMs: 100_000 });
    });

    test('from the first second on is silence, not an error', async () => {
      const shared = await live(30_000);
      await putPassage({ atMs: 2000, toMs: null });
      await sendUntil(50_000);
      expect(await shown(shared)).toMatchObject({ state: 'live', isOffRecord: true });
      expect(momentsIn((await get(shared, 'audio')).rawPayload)).toEqual([]);
    });

    test('is stored once, however often it is sent, and a released one does not come back', async () => {
      const id = newId();
      const first = await put({ atMs: 5000, toMs: null }, id);
      const again = await put({ atMs: 7000, toMs: null }, id);
      expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
      expect(answerOf(again)).toEqual({ id, fromMs: 5000, toMs: null });
      await put({ atMs: 5000, toMs: 8000 }, id);
      expect(answerOf(await put({ atMs: 5000, toMs: 20_000 }, id))).toMatchObject({ toMs: 8000 });
      expect(rejection(await release(id)).code).toBe('still-recording');
      await stop();
      await release(id);
      expect((await put({ atMs: 5000, toMs: 8000 }, id)).statusCode).toBe(200);
      expect((await details()).passages).toEqual([]);
      expect(rejection(await put({ atMs: 5000, toMs: 8000 })).code).toBe('already-finished');
    });

    test('is bounded in number and length, and only for those who may', async () => {
      expect(rejection(await put({ atMs: 5000, toMs: 4999 })).code).toBe('validation');
      expect(rejection(await put({ atMs: limits.maxTakeMs + 5000, toMs: null })).code).toBe('validation');
      expect(rejection(await put({ atMs: 0, toMs: limits.maxTakeMs + 5000 })).code).toBe('validation');
      expect(rejection(await put({ atMs: 0, toMs: null }, newId(), {})).code).toBe('upload-token-invalid');
      const other = await startTake(api, await api.signIn());
      expect(rejection(await put({ atMs: 0, toMs: null }, newId(), other.bearer)).code).toBe('forbidden');
      const id = newId();
      await putPassage({ atMs: 0, toMs: 10 }, id);
      for (let count = 1; count < limits.passagesPerRecording; count += 1)
        expect((await put({ atMs: count * 400, toMs: count * 400 + 50 })).statusCode).toBe(201);
      expect(rejection(await put({ atMs: 40_000, toMs: null })).code).toBe('validation');
      await stop();
      expect(rejection(await release(id, await api.signIn())).code).toBe('not-found');
      const shared = await share({ api, user: owner }, take.recordingId);
      expect((await shown(shared)).offRecord.length).toBe(limits.passagesPerRecording);
    });
  });
});
