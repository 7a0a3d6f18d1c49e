import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Share, ShareEvent } from '#contract/shares.ts';
import { type ApiUnderTest, apiOnSqlite, recordTake, type TestUser } from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';
import { share } from '#tests/support/sharing.ts';
import { LinkWatch, type LinkWatchDeps, type Shown } from './link-watch.ts';
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
function pageOf({ id, recordingId, revision }: Share) {
  const ended = Promise.withResolvers<null>();
  const events: ShareEvent[] = [];
  const link: OpenLink = {
    grant: { shareId: id, recordingId, revision },
    network: null,
    kind: 'events',
    version: 'the same',
    send: (event) => events.push(event),
    end: () => ended.resolve(null),
  };
  return { link, events, ended: ended.promise };
}

const watchOf = (
  open: readonly { link: OpenLink }[],
  shownOf: LinkWatchDeps['shownOf'],
  onListening: LinkWatchDeps['onListening'] = () => undefined,
): LinkWatch =>
  new LinkWatch({
    database: api.database,
    clock: api.clock,
    open: { all: () => open.map(({ link }) => link) },
    shownOf,
    onListening,
  });

const revoke = ({ id }: Share) =>
  api.database.queries.updateTable('shares').set({ ended_at: 1 }).where('id', '=', id).execute();

const addMarker = () =>
  api.as(owner, {
    method: 'POST',
    url: `/api/recordings/${other.recordingId}/markers`,
    payload: { id: newId(), atMs: 2000, label: 'A marker' },
  });

test('S18: a length that takes long delays the end of no link', async () => {
  const [slow, revoked] = [pageOf(growing), pageOf(other)];
  const [read, answer] = [Promise.withResolvers<null>(), Promise.withResolvers<Shown>()];
  const watch = watchOf([slow, revoked], () => {
    read.resolve(null);
    return answer.promise;
  });
  watch.start((error) => {
    throw error;
  });
  onTestFinished(async () => {
    answer.resolve({ version: 'the same', growth: null });
    await watch.stop();
  });
  await read.promise;
  await revoke(other);
  await revoked.ended;
  expect(revoked.events).toEqual([{ type: 'share-ended', reason: 'revoked' }]);
});

test('a recording that cannot be read hides the changes of no other one', async () => {
  const [unreadable, readable] = [pageOf(growing), pageOf(other)];
  let growth = { durationMs: 1000, isOffRecord: false };
  const watch = watchOf([unreadable, readable], async ({ id }) => {
    if (id === growing.id) throw new Error('unreadable');
    return { version: 'the same', growth };
  });
  await watch.check();
  growth = { durationMs: 2000, isOffRecord: false };
  await watch.check();
  expect(readable.events).toEqual([{ type: 'share-grew', ...growth }]);
});

test('the end of what a change no longer allows reads no recording', async () => {
  const [unreadable, revoked] = [pageOf(growing), pageOf(other)];
  const watch = watchOf([unreadable, revoked], () => Promise.reject(new Error('unreadable')));
  await revoke(other);
  await watch.endNow();
  expect(revoked.events).toEqual([{ type: 'share-ended', reason: 'revoked' }]);
  expect(unreadable.events).toEqual([]);
});

test('a recording that has ended is read again only after something of it or its labels has changed', async () => {
  let reads = 0;
  const watch = watchOf([pageOf(other)], async () => {
    reads += 1;
    return { version: 'the same', growth: null };
  });
  await watch.check();
  await watch.check();
  expect(reads).toBe(1);
  await addMarker();
  await watch.check();
  await watch.check();
  expect(reads).toBe(2);
});

test('tells the owner when pages of a link are opened and closed, also the last one', async () => {
  const open = [pageOf(growing)];
  const heard: string[] = [];
  const watch = watchOf(
    open,
    async () => ({ version: 'the same', growth: null }),
    ({ recording_id: recordingId }) => heard.push(recordingId),
  );
  await watch.check();
  await watch.check();
  expect(heard).toEqual([growing.recordingId]);
  open.push(pageOf(growing));
  await watch.check();
  expect(heard).toHaveLength(2);
  open.length = 0;
  await watch.check();
  await watch.check();
  expect(heard).toHaveLength(3);
});
