import { itemsOf } from '#base/pages.ts';
import { expect, it } from 'vitest';
import { apiUnderTest } from '#tests/support/api-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeRecording } from '#tests/support/factories.ts';
import { share } from '#tests/support/sharing.ts';
import { sharePages } from '#server/features/shares/shares-store.ts';
import { readPolicy } from '#server/features/shares/sharing-rules.ts';
import { presentShares } from './share-view.ts';

eachDatabase((_name, open) => {
  it('reads nothing more of the links in other states than the one that was asked for', async () => {
    const api = await apiUnderTest(await open());
    const { queries } = api.database;
    const user = await api.signIn();
    const { id: recordingId } = await storeRecording(queries, { owner_id: user.id, state: 'ready' });
    const [active, revoked] = [
      await share({ api, user }, recordingId),
      await share({ api, user }, recordingId),
    ];
    await api.as(user, { method: 'DELETE', url: `/api/shares/${revoked.id}` });
    const opened: string[] = [];
    const secrets = {
      seal: () => '',
      hash: () => '',
      open: (_sealed: string, purpose: string) => {
        opened.push(purpose);
        return null;
      },
    };
    const items = await presentShares(
      {
        secrets,
        publicUrl: 'https://earshot.example',
        shareUrl: null,
        database: api.database,
        open: { all: () => [] },
      },
      { queries, policy: await readPolicy(queries), nowMs: api.clock.nowMs(), state: 'active' },
      await itemsOf(sharePages(queries, { ownerId: user.id })),
    );
    expect(items.map(({ id }) => id)).toEqual([active.id]);
    expect(opened).toEqual([`share ${active.id}`]);
  });
});
