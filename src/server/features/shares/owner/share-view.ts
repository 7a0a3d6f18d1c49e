import { instantOf } from '#base/instant.ts';
import type { Share, SharingPolicy } from '#contract/shares.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { stateOfShare } from '#server/features/shares/share-state.ts';
import { settingsOf } from '#server/features/shares/share-settings.ts';
import { openShareToken } from '#server/features/shares/share-token.ts';
import { type StoredShare, usersOfShares } from '#server/features/shares/shares-store.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { ShareUserRow } from '#server/storage/database/share-tables.ts';

const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instantOf(ms));

export interface ShareViewDeps {
  secrets: SecretBox;
  /** The configured address of this server. An address is never taken from a request. */
  publicUrl: string;
  /** The configured address of links; null if they have that of the server. */
  shareUrl: string | null;
}

/** What a link is shown with: the rules and the time that decide its state, and the users that it is for. */
interface Shown {
  policy: SharingPolicy;
  nowMs: number;
  users: readonly ShareUserRow[];
}

/** Sessions do not travel to another origin, so a link that needs one stays on that of the server. */
const originOf = ({ publicUrl, shareUrl }: ShareViewDeps, { audience }: StoredShare): string =>
  audience === 'anyone' ? (shareUrl ?? publicUrl) : publicUrl;

function presentShare(deps: ShareViewDeps, share: StoredShare, { policy, nowMs, users }: Shown): Share {
  const token = openShareToken(deps.secrets, share);
  const { state, suspendedBy } = stateOfShare(share, policy, nowMs);
  return {
    ...settingsOf(
      share,
      users.map(({ email }) => email),
    ),
    id: share.id,
    recordingId: share.recording_id,
    recordingTitle: share.recording_title,
    url: token === null ? null : `${originOf(deps, share)}/s/${token}`,
    hasPassword: share.password_hash !== null,
    isPasswordLocked: share.password_locked_at !== null,
    isReleased: share.released_at !== null,
    state,
    suspendedBy,
    openCount: share.open_count,
    listenCount: share.listen_count,
    lastListenedAt: instantOrNull(share.last_listened_at),
    createdAt: instantOf(share.created_at),
    updatedAt: instantOf(share.updated_at),
    endedAt: instantOrNull(share.ended_at),
    revision: share.revision,
  };
}

/** Links as their owner sees them, in the given order. */
export async function presentShares(
  deps: ShareViewDeps,
  { queries, policy, nowMs }: { queries: Queries; policy: SharingPolicy; nowMs: number },
  shares: readonly StoredShare[],
): Promise<Share[]> {
  const users = await usersOfShares(
    queries,
    shares.filter(({ audience }) => audience === 'named').map(({ id }) => id),
  );
  return shares.map((share) =>
    presentShare(deps, share, { policy, nowMs, users: users.get(share.id) ?? [] }),
  );
}
