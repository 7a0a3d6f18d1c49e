import type { Transaction } from 'kysely';
import type { z } from 'zod';
import { limits } from '#contract/limits.ts';
import type { newShareSchema } from '#contract/shares-api.ts';
import type { Share } from '#contract/shares.ts';
import {
  columnsOfSettings,
  rejectSettings,
  type SettingColumns,
  defaultSettings,
} from '#server/features/shares/share-settings.ts';
import { newShareToken } from '#server/features/shares/share-token.ts';
import { countShares, findShares, replaceUsers } from '#server/features/shares/shares-store.ts';
import { readPolicy } from '#server/features/shares/sharing-rules.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import type { ShareRow } from '#server/storage/database/share-tables.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { presentOwnShare, rejectBreaches, type SharesDeps, hashForOwner } from './shares-deps.ts';

type NewShare = z.output<typeof newShareSchema>;

interface NewRow {
  id: string;
  ownerId: string;
  recordingId: string;
  passwordHash: string | null;
  settings: SettingColumns;
  nowMs: number;
}

const rowOf = (
  { secrets }: SharesDeps,
  { id, ownerId, recordingId, passwordHash, settings, nowMs }: NewRow,
): ShareRow => {
  const { token_hash: tokenHash, token_box: tokenBox } = newShareToken(secrets, id);
  return {
    ...settings,
    id,
    owner_id: ownerId,
    recording_id: recordingId,
    token_hash: tokenHash,
    token_box: tokenBox,
    released_at: null,
    live_sent_until_ms: null,
    password_hash: passwordHash,
    password_version: 0,
    wrong_passwords: 0,
    wrong_passwords_since: nowMs,
    password_locked_at: null,
    open_count: 0,
    listen_count: 0,
    last_listened_at: null,
    created_at: nowMs,
    updated_at: nowMs,
    revision: 1,
    ended_at: null,
    off_at: null,
  };
};

/**
 * Rejects a link beyond the limits. Locks the user, so that simultaneous requests count each other's links.
 * @throws too-many-shares (409)
 */
async function admitAnother(
  { database, clock }: SharesDeps,
  transaction: Transaction<Schema>,
  owner: { ownerId: string; recordingId: string },
): Promise<void> {
  await database.lockUser(transaction, owner.ownerId);
  const { ofRecording, ofOwner } = await countShares(transaction, owner, clock.nowMs());
  if (ofRecording >= limits.share.perRecording || ofOwner >= limits.share.perUser)
    throw new ProblemError('too-many-shares');
}

/**
 * The existing link of a repeated request, or null.
 * @throws not-found (404) if the id belongs to another user; validation (422) if it is of another recording
 */
async function existing(
  deps: SharesDeps,
  { ownerId, recordingId }: { ownerId: string; recordingId: string },
  id: string,
): Promise<Share | null> {
  const [found] = await findShares(deps.database.queries, [id]);
  if (found === undefined) return null;
  if (found.owner_id !== ownerId) throw new ProblemError('not-found');
  if (found.recording_id !== recordingId) throw rejectField('/id', 'taken');
  return presentOwnShare(deps, ownerId, id);
}

/** Shares a recording. Repeating a request returns the existing link. */
export async function createShare(
  deps: SharesDeps,
  principal: SessionPrincipal,
  { recordingId, id, password = null, ...wanted }: NewShare & { recordingId: string },
): Promise<{ created: boolean; share: Share }> {
  const { access, database, clock, renditions } = deps;
  const recording = await access.recording(principal, recordingId, 'own');
  const owner = { ownerId: principal.userId, recordingId };
  const before = await existing(deps, owner, id);
  if (before !== null) return { created: false, share: before };
  const [policy, nowMs] = [await readPolicy(database.queries), clock.nowMs()];
  const settings = { ...defaultSettings(policy, nowMs), ...columnsOfSettings(wanted, nowMs) };
  const people = wanted.people ?? [];
  rejectSettings(settings, { recording, wanted: { ...wanted, people }, before: null, nowMs });
  rejectBreaches({ ...settings, password_hash: password }, policy);
  const sound = await renditions.stateOf(recordingId);
  if (sound === 'impossible') throw new ProblemError('window-unsupported');
  const passwordHash =
    password === null ? null : await hashForOwner(deps, { userId: principal.userId, password });
  try {
    await database.transaction(async (transaction) => {
      await admitAnother(deps, transaction, owner);
      // A passage that starts at the same time counts the link, or the link withholds it.
      if (settings.live_delay_ms !== null) await lockRecordings(transaction, [recordingId]);
      const row = rowOf(deps, { id, ...owner, passwordHash, settings, nowMs });
      await transaction.insertInto('shares').values(row).execute();
      await replaceUsers(transaction, id, people);
      if (sound === 'missing' || sound === 'failed') await renditions.request(transaction, recordingId);
    });
  } catch (error) {
    // The same request may have arrived twice at once.
    const share = database.constraintOf(error) === 'unique' ? await existing(deps, owner, id) : null;
    if (share === null) throw error;
    return { created: false, share };
  }
  deps.announce.recordingChanged(owner.ownerId, recordingId);
  deps.announce.sharesChanged(owner.ownerId, recordingId);
  return { created: true, share: await presentOwnShare(deps, owner.ownerId, id) };
}
