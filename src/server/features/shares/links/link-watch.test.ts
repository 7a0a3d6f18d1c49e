import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Share, ShareEvent } from '#contract/shares.ts';
import { findShares } from '#server/features/shares/shares-store.ts';
import { type ApiUnderTest, apiOnSqlite, recordTake, type TestUser } from '#tests/support/api-under-test.ts';
import { share } from '#tests/support/sharing.ts';
import { type Growth, LinkWatch, type LinkWatchDeps, seenVersionOf } from './link-watch.ts';
import type { OpenLink } from './open-links.ts';

let api: ApiUnderTest;
let owner: TestUser;
let growing: Share;
let other: Share;

beforeEach(async () => {
  api = await apiOnSqlite();
  owner = await api.signIn();
  const { recordingId } = await recordTake(api, owner, 20);
  growing = await share({ api, user: owner }, recordingId);
  other = await share({ api, user: owner }, recordingId);
});

/** An open page of a link. `ended` resolves when it was ended. */
async function pageOf({ id, recordingId, revision }: Share) {
  const [stored] = await findShares(api.database.queries, [id]);
  const ended = Promise.withResolvers<null>();
  const events: ShareEvent[] = [];
  const link: OpenLink = {
    grant: { shareId: id, recordingId, revision },
    network: null,
    kind: 'events',
    version: stored === undefined ? null : seenVersionOf(stored),
    send: (event) => events.push(event),
    end: () => ended.resolve(null),
  };
  return { link, events, ended: ended.promise };
}

const watchOf = (open: readonly { link: OpenLink }[], growthOf: LinkWatchDeps['growthOf']): LinkWatch =>
  new LinkWatch({
    database: api.database,
    clock: api.clock,
    open: { all: () => open.map(({ link }) => link) },
    growthOf,
  });

const revoke = ({ id }: Share) =>
  api.database.queries.updateTable('shares').set({ ended_at: 1 }).where('id', '=', id).execute();

test('S18: a length that takes long delays the end of no link', async () => {
  const [slow, revoked] = [await pageOf(growing), await pageOf(other)];
  const [read, answer] = [Promise.withResolvers<null>(), Promise.withResolvers<Growth | null>()];
  const watch = watchOf([slow, revoked], () => {
    read.resolve(null);
    return answer.promise;
  });
  watch.start((error) => {
    throw error;
  });
  onTestFinished(async () => {
    answer.resolve(null);
    await watch.stop();
  });
  await read.promise;
  await revoke(other);
  await revoked.ended;
  expect(revoked.events).toEqual([{ type: 'share-ended', reason: 'revoked' }]);
});

test('a recording that cannot be read hides the changes of no other one', async () => {
  const [unreadable, readable] = [await pageOf(growing), await pageOf(other)];
  let growth = { durationMs: 1000, isOffRecord: false };
  const watch = watchOf([unreadable, readable], async ({ id }) => {
    if (id === growing.id) throw new Error('unreadable');
    return growth;
  });
  await watch.check();
  growth = { durationMs: 2000, isOffRecord: false };
  await watch.check();
  expect(readable.events).toEqual([{ type: 'share-grew', ...growth }]);
});

test('the end of what a change no longer allows reads no recording', async () => {
  const [unreadable, revoked] = [await pageOf(growing), await pageOf(other)];
  const watch = watchOf([unreadable, revoked], () => Promise.reject(new Error('unreadable')));
  await revoke(other);
  await watch.endNow();
  expect(revoked.events).toEqual([{ type: 'share-ended', reason: 'revoked' }]);
  expect(unreadable.events).toEqual([]);
});
