import type { Clock } from '#base/clock.ts';
import type { Share, SharingPolicy } from '#contract/shares.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { Passwords } from '#server/features/accounts/credentials/passwords.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { ReceivedMs } from '#server/features/recordings/media/received-of.ts';
import type { SharedRenditions } from '#server/features/recordings/windows/shared-rendition.ts';
import type { LinkThrottle } from '#server/features/shares/links/link-throttle.ts';
import { findOwnShare, type StoredShare } from '#server/features/shares/shares-store.ts';
import { breachesOf, readPolicy } from '#server/features/shares/sharing-rules.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { presentShares, type ShareViewDeps } from './share-view.ts';

/** What an owner's changes to links need. */
export interface SharesDeps extends ShareViewDeps {
  access: Pick<RecordingAccess, 'recording'>;
  database: Database;
  clock: Clock;
  announce: Pick<ChangeAnnouncer, 'recordingChanged' | 'sharesChanged'>;
  passwords: Pick<Passwords, 'hash'>;
  throttle: Pick<LinkThrottle, 'consumeOwnPassword'>;
  renditions: Pick<SharedRenditions, 'stateOf' | 'request'>;
  /** How much of a growing recording has arrived, read in a transaction. */
  receivedMs: ReceivedMs;
  /** Called after links changed, to end at once what they no longer allow. */
  onChanged: () => Promise<void>;
}

/**
 * Finds a link of this owner.
 * @throws not-found (404), also if it belongs to another user
 */
export async function ownShare(queries: Queries, ownerId: string, id: string): Promise<StoredShare> {
  const share = await findOwnShare(queries, ownerId, id);
  if (share === undefined) throw new ProblemError('not-found');
  return share;
}

/** A link of this owner as it is now. */
export async function presentOwnShare(deps: SharesDeps, ownerId: string, id: string): Promise<Share> {
  const { queries } = deps.database;
  const share = await ownShare(queries, ownerId, id);
  const shown = { queries, policy: await readPolicy(queries), nowMs: deps.clock.nowMs() };
  const [presented] = await presentShares(deps, shown, [share]);
  if (presented === undefined) throw new ProblemError('not-found');
  return presented;
}

/**
 * Rejects settings that break a rule of the installation. A link that broke it before the change may be changed in
 * other ways.
 * @throws sharing-forbidden (403) with the fields
 */
export function rejectBreaches(
  share: Parameters<typeof breachesOf>[0],
  policy: SharingPolicy,
  before: readonly string[] = [],
): void {
  const errors = breachesOf(share, policy)
    .filter((pointer) => !before.includes(pointer))
    .map((pointer) => ({ pointer, code: 'policy' }));
  if (errors.length > 0) throw new ProblemError('sharing-forbidden', { errors });
}

/**
 * Hashes the password of a link for its owner, who can set ten a minute.
 * @throws rate-limited (429)
 */
export async function hashForOwner(
  { passwords, throttle }: Pick<SharesDeps, 'passwords' | 'throttle'>,
  { userId, password }: { userId: string; password: string },
): Promise<string> {
  throttle.consumeOwnPassword(userId);
  return passwords.hash(password, { purpose: 'link', client: userId, maxWaitingPerClient: 2 });
}
