import { expect, it } from 'vitest';
import { runJob } from '#tests/support/run-job.ts';
import { day, hour } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import type { Share } from '#contract/shares.ts';
import { apiUnderTest, recordTake } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { goodLinkPassword, listener, share, tokenOf } from '#tests/support/sharing.ts';
import { m4aKeyOf } from './media/m4a-rendition.ts';
import { sweepSharesJob } from './sweep-shares.ts';

eachDatabase((_name, open) => {
  it('removes visits and hashes that have expired, and the sound that was made for ended links', async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const { recordingId } = await recordTake(api, user, 3);
    const sharer = { api, user };
    const lasting = await share(sharer, recordingId, { password: goodLinkPassword });
    const short = await share(sharer, recordingId, { expiresAt: instantOf(api.clock.nowMs() + day) });
    await listener(api).post(`/s/${tokenOf(lasting)}/unlock`, { password: goodLinkPassword });
    const renewed = (
      await api.as(user, { method: 'POST', url: `/api/shares/${lasting.id}/address` })
    ).json<Share>();
    await listener(api).post(`/s/${tokenOf(renewed)}/unlock`, { password: goodLinkPassword });
    const { queries } = api.database;
    const key = m4aKeyOf({ id: short.id, recording_id: recordingId }, 'x');
    const keys = [key, `${key}-streamed`, `${key}-unfinished`];
    for (const each of keys) await api.blobs.put(each, Buffer.alloc(1000));
    await queries
      .insertInto('share_m4a')
      .values({ share_id: short.id, state: 'ready', fingerprint: 'x', size_bytes: 1000 })
      .execute();
    const storedBytes = async () =>
      (await queries.selectFrom('recordings').select('stored_bytes').executeTakeFirstOrThrow()).stored_bytes;
    const before = await storedBytes();
    const counts = async () => [
      (await queries.selectFrom('share_visits').selectAll().execute()).length,
      (await queries.selectFrom('ended_links').selectAll().execute()).length,
      (await queries.selectFrom('share_m4a').selectAll().execute()).length,
    ];
    const sweep = () => runJob(sweepSharesJob(api));
    await sweep();
    expect(await counts()).toEqual([1, 1, 1]);
    api.clock.advance(day + 12 * hour);
    await sweep();
    expect(await counts()).toEqual([0, 1, 0]);
    expect(await Promise.all(keys.map((each) => api.blobs.head(each)))).toEqual([null, null, null]);
    expect(before - (await storedBytes())).toBe(1000);
    api.clock.advance(30 * day);
    await sweep();
    expect(await counts()).toEqual([0, 0, 0]);
  });
});
