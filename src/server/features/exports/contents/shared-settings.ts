import { instantOf, instantOrNull } from '#base/instant.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { ShareRow } from '#server/storage/database/share-tables.ts';

/** The links of a user as settings: an address, a password and the counts of their use stay here. */
export type SharedSettings = Pick<ShareRow, (typeof sharedColumns)[number]> & { people: string[] };

const sharedColumns = [
  'id',
  'recording_id',
  'audience',
  'title',
  'message',
  'from_ms',
  'to_ms',
  'shows',
  'download',
  'expires_at',
  'max_listens',
  'live_delay_ms',
  'is_held_after_stop',
  'embed',
  'preview',
  'recipient_label',
  'created_at',
  'ended_at',
] as const;

/** The links of a user, in a stable order. */
export async function sharedSettingsOf(queries: Queries, ownerId: string): Promise<SharedSettings[]> {
  const shares = await queries
    .selectFrom('shares')
    .select(sharedColumns)
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .execute();
  const users = await queries
    .selectFrom('share_people')
    .innerJoin('shares', 'shares.id', 'share_people.share_id')
    .select(['share_id', 'email'])
    .where('owner_id', '=', ownerId)
    .orderBy('email_key')
    .execute();
  const byShare = Map.groupBy(users, ({ share_id: shareId }) => shareId);
  return shares.map((share) => ({
    ...share,
    people: (byShare.get(share.id) ?? []).map(({ email }) => email),
  }));
}

/** A link as its settings. A new installation has another address, so its owner shares the recording again there. */
export const describeShare = (share: SharedSettings) => ({
  id: share.id,
  recordingId: share.recording_id,
  audience: share.audience,
  people: share.people,
  title: share.title,
  message: share.message,
  fromMs: share.from_ms,
  toMs: share.to_ms,
  shows: JSON.parse(share.shows) as unknown,
  download: share.download,
  expiresAt: instantOrNull(share.expires_at),
  maxListens: share.max_listens,
  live:
    share.live_delay_ms === null
      ? null
      : { delayMs: share.live_delay_ms, isHeldAfterStop: share.is_held_after_stop === 1 },
  embed: share.embed === null ? null : (JSON.parse(share.embed) as unknown),
  preview: share.preview,
  recipientLabel: share.recipient_label,
  createdAt: instantOf(share.created_at),
  endedAt: instantOrNull(share.ended_at),
});
