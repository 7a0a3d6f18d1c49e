import type { Share, ShareEndReason, ShareState, SharingPolicy } from '#contract/shares.ts';
import type { ShareRow } from '#server/storage/database/share-tables.ts';
import { breachesOf } from './sharing-rules.ts';

/** A link with what decides whether it opens. */
export type ShareCircumstances = ShareRow & {
  /** When its recording was moved to the trash; null if it is not there. */
  recording_deleted_at: number | null;
  owner_disabled_at: number | null;
};

/** The state of a link. `reason` is what a bearer of the link learns; null while it opens. */
export interface StateOfShare {
  state: ShareState;
  suspendedBy: Share['suspendedBy'];
  reason: ShareEndReason | null;
}

const ended = (state: ShareState, reason: ShareEndReason): StateOfShare => ({
  state,
  suspendedBy: null,
  reason,
});
const suspended = (suspendedBy: NonNullable<Share['suspendedBy']>): StateOfShare => ({
  state: 'suspended',
  suspendedBy,
  reason: 'unavailable',
});

/**
 * The state of a link at a moment, by comparison alone: no timer changes it. What ends it for longest is named
 * first, because the other reasons may pass while it stays ended.
 */
export function stateOfShare(share: ShareCircumstances, policy: SharingPolicy, nowMs: number): StateOfShare {
  if (share.ended_at !== null) return ended('revoked', 'revoked');
  if (share.expires_at !== null && share.expires_at <= nowMs) return ended('expired', 'expired');
  if (share.owner_disabled_at !== null) return suspended('owner-disabled');
  if (share.recording_deleted_at !== null) return suspended('trash');
  if (share.off_at !== null) return suspended('restore');
  if (breachesOf(share, policy).length > 0) return suspended('policy');
  if (share.max_listens !== null && share.listen_count >= share.max_listens)
    return ended('used-up', 'used-up');
  return { state: 'active', suspendedBy: null, reason: null };
}
