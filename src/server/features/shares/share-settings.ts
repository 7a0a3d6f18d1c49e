import { day } from '#base/duration.ts';
import { instantOrNull, unixMsOf } from '#base/instant.ts';
import { limits } from '#contract/limits.ts';
import {
  shareLiveSchema,
  shareShowsSchema,
  type ShareLive,
  type ShareSettings,
  type ShareShows,
  type SharingPolicy,
} from '#contract/shares.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import type { ShareRow } from '#server/storage/database/share-tables.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import { embedOf, previewOf } from './sharing-rules.ts';

/** The columns that store the settings of a link, without the users that it is for. */
export type SettingColumns = Pick<
  ShareRow,
  | 'audience'
  | 'title'
  | 'message'
  | 'from_ms'
  | 'to_ms'
  | 'shows'
  | 'download'
  | 'expires_at'
  | 'expiry_set_at'
  | 'max_listens'
  | 'live_delay_ms'
  | 'is_held_after_stop'
  | 'embed'
  | 'preview'
  | 'recipient_label'
>;

/** What is shown unless the owner says otherwise: nothing but what a listener needs to know whose link it is. */
const defaultShows: ShareShows = {
  title: true,
  owner: true,
  date: false,
  markers: false,
  notes: false,
  gaps: false,
};

/** The settings of a new link: it can be listened to, by as many as the policy allows, and ends by itself. */
export function defaultSettings(policy: SharingPolicy, nowMs: number): SettingColumns {
  const days = Math.min(policy.defaultDays, policy.longestDays ?? Infinity);
  return {
    audience: policy.links === 'users' ? 'installation' : 'anyone',
    title: null,
    message: '',
    from_ms: 0,
    to_ms: null,
    shows: JSON.stringify(defaultShows),
    download: 'off',
    expires_at: nowMs + days * day,
    expiry_set_at: nowMs,
    max_listens: null,
    live_delay_ms: null,
    is_held_after_stop: 0,
    embed: null,
    preview: 'none',
    recipient_label: '',
  };
}

const expiryColumns = (
  expiresAt: string | null,
  nowMs: number,
): Pick<SettingColumns, 'expires_at' | 'expiry_set_at'> => ({
  expires_at: expiresAt === null ? null : unixMsOf(expiresAt),
  expiry_set_at: nowMs,
});

const liveColumns = (
  live: ShareLive | null,
): Pick<SettingColumns, 'live_delay_ms' | 'is_held_after_stop'> => ({
  live_delay_ms: live?.delayMs ?? null,
  is_held_after_stop: live?.isHeldAfterStop === true ? 1 : 0,
});

type Given<Columns> = { [Column in keyof Columns]?: Exclude<Columns[Column], undefined> };

/** Removes what was not given. */
const given = <Columns extends object>(columns: Columns): Given<Columns> =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Given<Columns>;

type Wanted = { [Field in keyof ShareSettings]?: ShareSettings[Field] | undefined };

/** The columns of the settings that were given. */
export function columnsOfSettings(wanted: Wanted, nowMs: number): Partial<SettingColumns> {
  const { shows, embed } = wanted;
  return {
    ...given({
      audience: wanted.audience,
      title: wanted.title,
      message: wanted.message,
      from_ms: wanted.fromMs,
      to_ms: wanted.toMs,
      download: wanted.download,
      max_listens: wanted.maxListens,
      preview: wanted.preview,
      recipient_label: wanted.recipientLabel,
    }),
    ...(shows === undefined ? {} : { shows: JSON.stringify(shows) }),
    ...(embed === undefined ? {} : { embed: embed === null ? null : JSON.stringify(embed) }),
    ...(wanted.expiresAt === undefined ? {} : expiryColumns(wanted.expiresAt, nowMs)),
    ...(wanted.live === undefined ? {} : liveColumns(wanted.live)),
  };
}

/** What a link shows. Of a setting that this version cannot read, nothing is shown. */
export const showsOf = ({ shows }: Pick<ShareRow, 'shows'>): ShareShows =>
  shareShowsSchema
    .catch({ title: false, owner: false, date: false, markers: false, notes: false, gaps: false })
    .parse(JSON.parse(shows));

const liveOf = ({
  live_delay_ms: delayMs,
  is_held_after_stop: isHeld,
}: Pick<ShareRow, 'live_delay_ms' | 'is_held_after_stop'>): ShareLive | null =>
  shareLiveSchema
    .nullable()
    .catch(null)
    .parse(delayMs === null ? null : { delayMs, isHeldAfterStop: isHeld === 1 });

/** The settings of a link as they take effect. */
export const settingsOf = (share: ShareRow, people: readonly string[]): ShareSettings => ({
  audience: share.audience,
  people: [...people],
  title: share.title,
  message: share.message,
  fromMs: share.from_ms,
  toMs: share.to_ms,
  shows: showsOf(share),
  download: share.download,
  expiresAt: instantOrNull(share.expires_at),
  maxListens: share.max_listens,
  live: liveOf(share),
  embed: embedOf(share),
  preview: previewOf(share),
  recipientLabel: share.recipient_label,
});

/** Whether a link plays all of a recording, however long it becomes. */
export const isWhole = ({ from_ms: fromMs, to_ms: toMs }: Pick<ShareRow, 'from_ms' | 'to_ms'>): boolean =>
  fromMs === 0 && toMs === null;

type SharedRow = Pick<RecordingRow, 'state' | 'duration_ms'>;

/** Whether a part has enough of the recording to be listened to. A recording that grows may still reach it. */
function isInside(share: Pick<ShareRow, 'from_ms' | 'to_ms'>, recording: SharedRow): boolean {
  const endMs = isUnfinished(recording) ? Infinity : recording.duration_ms;
  return Math.min(share.to_ms ?? Infinity, endMs) - share.from_ms >= limits.share.minMs;
}

/** Whether a link would get a limit of listens that it did not have. Only links of earlier versions have one. */
const isNewlyLimited = (share: SettingColumns, before: SettingColumns | null): boolean =>
  share.max_listens !== null && (before === null || before.max_listens === null);

/**
 * Rejects settings that contradict each other or the recording, and a number of listens for a link that had none.
 * @param change.before the link before the change; null for a new one
 * @throws validation (422), window-empty (422)
 */
export function rejectSettings(
  share: SettingColumns,
  {
    recording,
    wanted,
    before,
    nowMs,
  }: { recording: SharedRow; wanted: Wanted; before: SettingColumns | null; nowMs: number },
): void {
  // A page of an earlier version may ask for it. Without the limit its link would be more open than its owner wanted.
  if (isNewlyLimited(share, before)) throw rejectField('/maxListens', 'not-allowed');
  if (wanted.expiresAt !== undefined && (share.expires_at ?? Infinity) <= nowMs)
    throw rejectField('/expiresAt', 'past');
  if (share.download === 'original' && !isWhole(share)) throw rejectField('/download', 'whole-only');
  if (share.audience === 'named' && wanted.people?.length === 0) throw rejectField('/people', 'required');
  if (!isWhole(share) && !isInside(share, recording)) throw new ProblemError('window-empty');
}
