import { describe, expect, test } from 'vitest';
import { second } from '#base/duration.ts';
import type { Share, SharedRecording } from '#contract/shares.ts';
import {
  type ApiUnderTest,
  apiUnderTest,
  append,
  complete,
  finish,
  oggOfSilence,
  openUpload,
  peaksOf,
  problemOf,
  recordTake,
  type Take,
  type TestUser,
} from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { listener, openShared, share, tokenOf } from '#tests/support/sharing.ts';

eachDatabase((_name, open) => {
  const start = async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    return { api, user, take: await recordTake(api, user, 5) };
  };

  /** Continues a finished take by one second, which has not ended. */
  async function continueTake(
    { api, user, take }: { api: ApiUnderTest; user: TestUser; take: Take },
    { query = '', startMs = 5000 } = {},
  ): Promise<Take> {
    api.clock.advance(second);
    const url = `/api/recordings/${take.recordingId}/reopen${query}`;
    const { upload } = (await api.as(user, { method: 'POST', url })).json<{ upload: { token: string } }>();
    const again = { ...take, token: upload.token, bearer: { authorization: `Bearer ${upload.token}` } };
    for (const [stream, bytes] of [
      ['audio', oggOfSilence(1)],
      ['peaks', peaksOf(1)],
    ] as const) {
      const uploadId = newId();
      await openUpload(api, again, { uploadId, stream, segmentIndex: 1, startMs });
      await append(api, again, { uploadId, offset: 0, bytes });
      await complete(api, again, { uploadId, bytes });
    }
    return again;
  }

  async function finishContinued(api: ApiUnderTest, take: Take): Promise<void> {
    expect((await finish(api, take, { durationMs: 6000, segmentCount: 2 })).statusCode).toBe(200);
    await api.runJobs();
  }
  const shownMs = async (api: ApiUnderTest, shared: Share) =>
    (await openShared(listener(api), shared)).json<SharedRecording>().durationMs;
  const storedOf = async (api: ApiUnderTest, user: TestUser, { id }: Share) =>
    (await api.as(user, { url: '/api/shares' }))
      .json<{ items: Share[] }>()
      .items.find((link) => link.id === id);
  const live = { live: { delayMs: 0, isHeldAfterStop: false } } as const;

  describe('when a recording is continued', () => {
    test('its links play what there was before, and not a packet more', async () => {
      const world = await start();
      const { api, user, take } = world;
      const [whole, part] = [
        await share({ api, user }, take.recordingId, live),
        await share({ api, user }, take.recordingId, { ...live, fromMs: 1000, toMs: 3000 }),
      ];
      const beforeMs = await shownMs(api, whole);
      await continueTake(world);
      expect(await storedOf(api, user, whole)).toMatchObject({ toMs: 4994, revision: whole.revision + 1 });
      expect(await storedOf(api, user, part)).toMatchObject({ toMs: 3000, revision: part.revision });
      expect(await shownMs(api, whole)).toBeLessThanOrEqual(beforeMs);
      const audio = await listener(api).send('GET', `/s/${tokenOf(whole)}/audio`);
      expect(audio.rawPayload.length).toBeLessThan(oggOfSilence(6).length);
    });

    test('its links play nothing of a part that its device puts before the end that the server measured', async () => {
      const world = await start();
      const { api, user, take } = world;
      const [whole, end] = [
        await share({ api, user }, take.recordingId, live),
        await share({ api, user }, take.recordingId, { ...live, fromMs: 3600, toMs: 4600 }),
      ];
      await continueTake(world, { startMs: 3500 });
      expect(await storedOf(api, user, whole)).toMatchObject({ toMs: 3500 });
      expect(await shownMs(api, whole)).toBeLessThanOrEqual(3500);
      expect(await storedOf(api, user, end)).toMatchObject({ fromMs: 3600, toMs: 3601 });
    });

    test('its links still play what there was before, and none of them is live', async () => {
      const world = await start();
      const { api, user, take } = world;
      const links = [
        await share({ api, user }, take.recordingId),
        await share({ api, user }, take.recordingId, { fromMs: 1000, toMs: 3000 }),
        await share({ api, user }, take.recordingId, live),
      ];
      const heard = async () =>
        Promise.all(
          links.map(async (link) => {
            const { state, delayMs, durationMs } = (
              await openShared(listener(api), link)
            ).json<SharedRecording>();
            const audio = await listener(api).send('GET', `/s/${tokenOf(link)}/audio`);
            return { state, delayMs, durationMs: Math.floor(durationMs), status: audio.statusCode };
          }),
        );
      const before = await heard();
      expect(before.map(({ state }) => state)).toEqual(['complete', 'complete', 'complete']);
      await continueTake(world);
      expect(await heard()).toEqual(before);
    });

    test('a link that isn’t live plays the new part once the recording has ended, if its owner says so', async () => {
      const world = await start();
      const { api, user, take } = world;
      const whole = await share({ api, user }, take.recordingId, { download: 'original' });
      const continued = await continueTake(world, { query: '?links=continue' });
      const during = (await openShared(listener(api), whole)).json<SharedRecording>();
      expect(during).toMatchObject({ state: 'complete', durationMs: expect.closeTo(5000, -2) });
      expect(during.downloads).not.toContain('original');
      await finishContinued(api, continued);
      const after = (await openShared(listener(api), whole)).json<SharedRecording>();
      expect(after).toMatchObject({ state: 'complete', durationMs: expect.closeTo(6000, -2) });
      expect(after.downloads).toContain('original');
    });

    test('a live link that is closed after Stop stays closed', async () => {
      const world = await start();
      const { api, user, take } = world;
      const held = await share({ api, user }, take.recordingId, {
        live: { delayMs: 0, isHeldAfterStop: true },
      });
      await continueTake(world);
      expect((await openShared(listener(api), held)).json()).toMatchObject({ state: 'held', durationMs: 0 });
    });

    test('none gives the unchanged file, which has the new part', async () => {
      const world = await start();
      const { api, user, take } = world;
      const whole = await share({ api, user }, take.recordingId, { download: 'original' });
      await finishContinued(api, await continueTake(world));
      expect(await storedOf(api, user, whole)).toMatchObject({ download: 'formats', toMs: 4994 });
      const file = await listener(api).send('GET', `/s/${tokenOf(whole)}/download?format=original`);
      expect([file.statusCode, problemOf(file).code]).toEqual([403, 'share-download-off']);
    });

    test('a part that its owner chooses while the recording continues stays', async () => {
      const world = await start();
      const { api, user, take } = world;
      await continueTake(world);
      const part = await share({ api, user }, take.recordingId, { ...live, fromMs: 1000, toMs: 5500 });
      expect(await storedOf(api, user, part)).toMatchObject({ toMs: 5500 });
    });

    test('its links play the new part if its owner says so', async () => {
      const world = await start();
      const { api, user, take } = world;
      const whole = await share({ api, user }, take.recordingId, live);
      await continueTake(world, { query: '?links=continue' });
      expect(await storedOf(api, user, whole)).toMatchObject({ toMs: null, revision: whole.revision });
      expect(await shownMs(api, whole)).toBeGreaterThan(5500);
    });
  });
});
