import { instantOf, instantOrNull } from '#base/instant.ts';
import type { Passage } from '#contract/passages-api.ts';
import type { AccessRequest, Share, ShareState, SharingPolicy } from '#contract/shares.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import { waitingRequestsOf } from '#server/features/shares/access-requests.ts';
import { listeningCounts, type ListeningDeps } from '#server/features/shares/links/listening-counts.ts';
import { stateOfShare } from '#server/features/shares/share-state.ts';
import { settingsOf } from '#server/features/shares/share-settings.ts';
import { linkOriginOf, type LinkOrigins } from '#server/features/shares/link-origin.ts';
import { openShareToken } from '#server/features/shares/share-token.ts';
import { type StoredShare, usersOfShares } from '#server/features/shares/shares-store.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { passagesByRecording } from '#server/storage/rows/passages.ts';
import { timeOfRow } from '#server/storage/rows/stored-time.ts';
import type { ShareUserRow } from '#server/storage/database/share-tables.ts';

export interface ShareViewDeps extends LinkOrigins, ListeningDeps {
  secrets: SecretBox;
}

/** What a link is shown with: the rules and the time that decide its state, and the users that it is for. */
interface Shown {
  policy: SharingPolicy;
  nowMs: number;
  users: readonly ShareUserRow[];
  accessRequests: AccessRequest[];
  listeningCount: number | null;
  passages: readonly Passage[];
}

/** How much of a link's part is withheld from its listeners. */
function mutedMsOf(share: StoredShare, passages: readonly Passage[]): number {
  const endMs = Math.min(share.to_ms ?? Infinity, share.recording_duration_ms);
  let untilMs = share.from_ms;
  let mutedMs = 0;
  // In order of their start; passages may overlap.
  for (const { fromMs, toMs } of passages) {
    const [startMs, stopMs] = [Math.max(fromMs, untilMs), Math.min(toMs ?? Infinity, endMs)];
    mutedMs += Math.max(0, stopMs - startMs);
    untilMs = Math.max(untilMs, stopMs);
  }
  return mutedMs;
}

function presentShare(
  deps: ShareViewDeps,
  share: StoredShare,
  { policy, nowMs, users, accessRequests, listeningCount, passages }: Shown,
): Share {
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
    recordedTime: timeOfRow(share),
    url: token === null ? null : `${linkOriginOf(deps, share)}/s/${token}`,
    hasPassword: share.password_hash !== null,
    isPasswordLocked: share.password_locked_at !== null,
    isReleased: share.released_at !== null,
    mutedMs: mutedMsOf(share, passages),
    state,
    suspendedBy,
    openCount: share.open_count,
    listenCount: share.listen_count,
    lastListenedAt: instantOrNull(share.last_listened_at),
    listeningCount,
    accessRequests,
    createdAt: instantOf(share.created_at),
    updatedAt: instantOf(share.updated_at),
    endedAt: instantOrNull(share.ended_at),
    revision: share.revision,
  };
}

interface PresentOptions {
  queries: Queries;
  policy: SharingPolicy;
  nowMs: number;
  /** Leaves out the links in other states: most links of a user have ended. */
  state?: ShareState | undefined;
}

/** Links as their owner sees them, in the given order. */
export async function presentShares(
  deps: ShareViewDeps,
  { queries, policy, nowMs, state }: PresentOptions,
  shares: readonly StoredShare[],
): Promise<Share[]> {
  const wanted =
    state === undefined
      ? shares
      : shares.filter((share) => stateOfShare(share, policy, nowMs).state === state);
  const named = wanted.filter(({ audience }) => audience === 'named');
  const users = await usersOfShares(
    queries,
    named.map(({ id }) => id),
  );
  const requests = await waitingRequestsOf(
    queries,
    named.flatMap(({ id, ended_at: endedAt }) => (endedAt === null ? [id] : [])),
  );
  const passages = await passagesByRecording(queries, [
    ...new Set(wanted.map(({ recording_id: recordingId }) => recordingId)),
  ]);
  const listeningTo = await listeningCounts(deps);
  return wanted.map((share) =>
    presentShare(deps, share, {
      policy,
      nowMs,
      users: users.get(share.id) ?? [],
      accessRequests: requests.get(share.id) ?? [],
      listeningCount: listeningTo(share.id),
      passages: passages.get(share.recording_id) ?? [],
    }),
  );
}
