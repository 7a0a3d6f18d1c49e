import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import type { z } from 'zod';
import type { changeShare as changeShareEndpoint } from '#contract/shares-api.ts';
import type { Share } from '#contract/shares.ts';
import { deleteAnsweredRequests } from '#server/features/shares/access-requests.ts';
import { columnsOfSettings, rejectSettings } from '#server/features/shares/share-settings.ts';
import { newShareToken } from '#server/features/shares/share-token.ts';
import {
  liveToRevoke,
  replaceUsers,
  type RevokedShares,
  revokeWhere,
  updateShare,
} from '#server/features/shares/shares-store.ts';
import { breachesOf, readPolicy } from '#server/features/shares/sharing-rules.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import type { ShareRow } from '#server/storage/database/share-tables.ts';
import { storeEndedLinks } from '#server/storage/rows/ended-links.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { raiseSentUntil } from '#server/storage/rows/sent-until.ts';
import { hashForOwner, ownShare, presentOwnShare, rejectBreaches, type SharesDeps } from './shares-deps.ts';

type ShareChange = z.output<(typeof changeShareEndpoint)['body']>;

/** The columns that a new password changes, or none if it stays. Visits of the old one end by its version. */
async function passwordColumns(
  deps: SharesDeps,
  { password_version: version, owner_id: userId }: ShareRow,
  password: string | null | undefined,
): Promise<Partial<ShareRow>> {
  if (password === undefined) return {};
  return {
    password_hash: password === null ? null : await hashForOwner(deps, { userId, password }),
    password_version: version + 1,
    wrong_passwords: 0,
    password_locked_at: null,
  };
}

const recordingOf = (queries: Queries, id: string): Promise<Pick<RecordingRow, 'state' | 'duration_ms'>> =>
  queries
    .selectFrom('recordings')
    .select(['state', 'duration_ms'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/**
 * Stores up to where listeners may have listened before the delay of a live link changes, so that a passage off the
 * record never claims to recall it.
 */
async function storeSent({ receivedMs }: SharesDeps, queries: Queries, share: ShareRow): Promise<void> {
  if (share.live_delay_ms === null) return;
  await lockRecordings(queries, [share.recording_id]);
  if (!isUnfinished(await recordingOf(queries, share.recording_id))) return;
  await raiseSentUntil(
    queries,
    share.id,
    (await receivedMs(queries, share.recording_id)) - share.live_delay_ms,
  );
}

/**
 * Revokes links for good, and stores up to where their listeners may have listened. Returns how many were not revoked
 * before.
 */
export async function endLinks(
  deps: Pick<SharesDeps, 'receivedMs' | 'clock'>,
  transaction: Queries,
  which: RevokedShares,
): Promise<number> {
  const live = await liveToRevoke(transaction, which);
  const recordingIds = [...new Set(live.map((share) => share.recording_id))];
  await lockRecordings(transaction, recordingIds);
  for (const recordingId of recordingIds) {
    const receivedMs = await deps.receivedMs(transaction, recordingId);
    for (const { id, recording_id: of, live_delay_ms: delayMs } of live)
      if (of === recordingId) await raiseSentUntil(transaction, id, receivedMs - (delayMs ?? 0));
  }
  return revokeWhere(transaction, which, deps.clock.nowMs());
}

/** Ends what a changed link no longer allows, and updates the owner's open pages. */
export async function announceChange(deps: SharesDeps, share: ShareRow): Promise<void> {
  await deps.onChanged();
  deps.announce.recordingChanged(share.owner_id, share.recording_id);
  deps.announce.sharesChanged(share.owner_id, share.recording_id);
}

/**
 * Changes a link.
 * @throws share-changed (409) if the change is based on another revision; already-revoked (409)
 */
export async function changeShare(
  deps: SharesDeps,
  { userId }: SessionPrincipal,
  { id, revision, password, isReleased, isOn, ...wanted }: ShareChange & { id: string },
): Promise<Share> {
  const { database, clock } = deps;
  const { queries } = database;
  const share = await ownShare(queries, userId, id);
  if (share.ended_at !== null) throw new ProblemError('already-revoked');
  if (share.revision !== revision) throw new ProblemError('share-changed');
  const nowMs = clock.nowMs();
  const recording = await recordingOf(queries, share.recording_id);
  // A link that is opened before Stop would not be closed after it.
  const isOpened = isReleased === true && share.released_at === null && !isUnfinished(recording);
  const changed = {
    ...columnsOfSettings(wanted, nowMs),
    ...(isOpened ? { released_at: nowMs } : {}),
    ...(isOn === true ? { off_at: null } : {}),
  };
  rejectSettings({ ...share, ...changed }, { recording, wanted, before: share, nowMs });
  const policy = await readPolicy(queries);
  const hash = password === undefined ? share.password_hash : password;
  rejectBreaches({ ...share, ...changed, password_hash: hash }, policy, breachesOf(share, policy));
  const columns = {
    ...changed,
    ...(await passwordColumns(deps, share, password)),
    updated_at: nowMs,
  };
  await database.transaction(async (transaction) => {
    if (wanted.live !== undefined) await storeSent(deps, transaction, share);
    if (!(await updateShare(transaction, share, columns))) throw new ProblemError('share-changed');
    if (wanted.people === undefined) return;
    await replaceUsers(transaction, id, wanted.people);
    await deleteAnsweredRequests(transaction, id);
  });
  await announceChange(deps, share);
  return presentOwnShare(deps, userId, id);
}

/** Revokes a link for good. Idempotent. */
export async function revokeShare(
  deps: SharesDeps,
  { userId }: SessionPrincipal,
  id: string,
): Promise<Share> {
  const { database } = deps;
  const share = await ownShare(database.queries, userId, id);
  const revoked = await database.transaction((transaction) =>
    endLinks(deps, transaction, { ownerId: userId, id }),
  );
  if (revoked > 0) await announceChange(deps, share);
  return presentOwnShare(deps, userId, id);
}

/**
 * Gives a link a new address. Its bearer learns that the old one has ended.
 * @throws already-revoked (409), share-changed (409)
 */
export async function renewAddress(
  deps: SharesDeps,
  { userId }: SessionPrincipal,
  id: string,
): Promise<Share> {
  const { database, secrets } = deps;
  const share = await ownShare(database.queries, userId, id);
  if (share.ended_at !== null) throw new ProblemError('already-revoked');
  const nowMs = deps.clock.nowMs();
  const { token_hash: tokenHash, token_box: tokenBox } = newShareToken(secrets, id);
  await database.transaction(async (transaction) => {
    const columns = { token_hash: tokenHash, token_box: tokenBox, updated_at: nowMs };
    if (!(await updateShare(transaction, share, columns))) throw new ProblemError('share-changed');
    await storeEndedLinks(transaction, [{ token_hash: share.token_hash, reason: 'revoked' }], nowMs);
    await transaction.deleteFrom('share_visits').where('share_id', '=', id).execute();
  });
  await announceChange(deps, share);
  return presentOwnShare(deps, userId, id);
}
