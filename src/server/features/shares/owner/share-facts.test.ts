import { expect, test } from 'vitest';
import type { Share } from '#contract/shares.ts';
import { apiUnderTest, recordTake } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId } from '#tests/support/factories.ts';
import { share } from '#tests/support/sharing.ts';
import { listeningCounts } from '#server/features/shares/links/listening-counts.ts';
import type { OpenLink } from '#server/features/shares/links/open-links.ts';

const pageOf = ({ id, recordingId }: Share, kind: OpenLink['kind'] = 'events'): OpenLink => ({
  grant: { shareId: id, recordingId, revision: 1 },
  network: null,
  kind,
  version: null,
  send: () => undefined,
  end: () => undefined,
});

eachDatabase((_name, open) => {
  test('the owner learns how much of the part of a link is muted, without counting anything twice', async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const { recordingId } = await recordTake(api, user, 10);
    for (const [fromMs, toMs, releasedAt] of [
      [1000, 3000, null],
      [2000, 4000, null],
      [6000, 7000, 5],
      [9000, null, null],
    ] as const)
      await api.database.queries
        .insertInto('passages')
        .values({
          id: newId(),
          recording_id: recordingId,
          from_ms: fromMs,
          to_ms: toMs,
          created_at: 1,
          released_at: releasedAt,
        })
        .execute();
    await api.database.queries.updateTable('recordings').set({ duration_ms: 10_000 }).execute();
    const whole = await share({ api, user }, recordingId);
    const part = await share({ api, user }, recordingId, { fromMs: 2500, toMs: 5000 });
    expect([whole.mutedMs, part.mutedMs]).toEqual([4000, 1500]);
  });

  test('counts the open pages of a link, and does not claim to know those of other servers', async () => {
    const api = await apiUnderTest(await open());
    const user = await api.signIn();
    const { recordingId } = await recordTake(api, user, 2);
    const [first, second] = [
      await share({ api, user }, recordingId),
      await share({ api, user }, recordingId),
    ];
    const links = { all: () => [pageOf(first), pageOf(first), pageOf(first, 'sound')] };
    const read = async () => {
      const countOf = await listeningCounts({ database: api.database, open: links });
      return [countOf(first.id), countOf(second.id)];
    };
    expect(await read()).toEqual([2, 0]);
    if (api.database.dialect !== 'postgres') return;
    for (const id of ['a', 'b'])
      await api.database.queries
        .insertInto('nodes')
        .values({
          id,
          host: id,
          place: id,
          role: 'all',
          version: '1',
          build: '1',
          state: 'running',
          started_at: 1,
          seen_at: 1,
        })
        .execute();
    expect(await read()).toEqual([null, null]);
  });
});
