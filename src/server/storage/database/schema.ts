import type { ColumnType, Generated } from 'kysely';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import type { OperationsTables } from './operations-tables.ts';
import type { ShareTables } from './share-tables.ts';
import type { TranscriptTables } from './transcript-tables.ts';

/**
 * The tables as the query builder sees them. Both databases return the same representations: ids are UUID text,
 * instants are integer Unix milliseconds, booleans are 0 or 1, and JSON is text that its owner parses.
 */
export interface Schema extends ShareTables, OperationsTables, TranscriptTables {
  users: UserRow;
  credentials: CredentialRow;
  sessions: SessionRow;
  identities: IdentityRow;
  oauth_flows: OauthFlowRow;
  provider_notices: ProviderNoticeRow;
  /**
   * Maintained by triggers: `text_bytes`, the total size of its notes and marker labels, and `labels_revision`, which
   * increases with every change of its markers and notes.
   */
  recordings: Omit<RecordingRow, 'recorded_kind'> & {
    recorded_kind: ColumnType<RecordingRow['recorded_kind'], RecordingRow['recorded_kind'] | undefined>;
    text_bytes: Generated<number>;
    labels_revision: Generated<number>;
  };
  uploads: UploadRow;
  purged_recordings: PurgedRecordingRow;
  markers: MarkerRow & TextWords;
  jobs: JobRow & JobFairness & JobOrigin;
  job_turns: JobTurnRow;
  job_lane_turns: JobLaneTurnRow;
  audit_events: AuditEventRow;
  passkeys: PasskeyRow;
  totp: TotpRow;
  recovery_codes: RecoveryCodeRow;
  auth_flows: AuthFlowRow;
  link_tokens: LinkTokenRow;
  login_failures: LoginFailuresRow;
  departed_users: DepartedUserRow;
  upload_capabilities: UploadCapabilityRow;
  recording_changes: RecordingChangeRow;
  announced_recordings: AnnouncedRecordingRow;
  imported_files: ImportedFileRow & JudgedFile;
  quotas: QuotaRow;
  tags: TagRow & TextWords;
  recording_tags: RecordingTagRow;
  saved_views: SavedViewRow;
  favourites: FavouriteRow;
  rate_limits: RateLimitRow;
  sign_in_failures: SignInFailuresRow;
  recording_words: RecordingWordsRow;
  stale_words: StaleWordsRow;
  text_usage: TextUsageRow;
  notes: NoteRow & TextWords;
  passages: PassageRow;
  playback_positions: PlaybackPositionRow;
  export_tickets: ExportTicketRow;
  account_exports: AccountExportRow;
  account_export_entries: AccountExportEntryRow;
  upload_checksums: UploadChecksumRow;
  backups: BackupRow;
  web_builds: WebBuildRow;
  /** Facts about the installation: the fingerprint of its secret key, and what its users may share. */
  installation: { name: string; value: string };
}

export interface UserRow {
  id: string;
  display_name: string;
  email: string | null;
  /** The e-mail normalised for comparison: NFKC, lower case; unique. */
  email_key: string | null;
  /** When the user proved ownership of the e-mail; null while it is only a sign-in name. */
  email_verified_at: number | null;
  locale: string | null;
  role: 'member' | 'admin';
  created_at: number;
  disabled_at: number | null;
  /** When the user last confirmed, on any device, that they saw an administrator's changes to their account. */
  notices_seen_at: number | null;
}

interface CredentialRow {
  id: string;
  user_id: string;
  kind: 'password';
  /** JSON: `{ "hash": PHC string }`. */
  data: string;
  created_at: number;
  updated_at: number;
}

export interface SessionRow {
  /** SHA-256 of the cookie's token, hexadecimal; the token itself is stored nowhere. */
  token_hash: string;
  /** Public random id for the list of devices. */
  id: string;
  user_id: string;
  created_at: number;
  last_seen_at: number;
  idle_ms: number;
  idle_expires_at: number;
  absolute_expires_at: number;
  /** When the user last authenticated. */
  auth_time: number;
  /** When the authentication last included a second factor; null if it never did. */
  second_factor_at: number | null;
  /** When the user last gave a proof strong enough to change the account's protection; null if they never did. */
  proven_at: number | null;
  /** When the user confirmed, in this session, that they saw an administrator's changes to their account. */
  notices_seen_at: number | null;
  method: string;
  label: string;
  ip_prefix: string;
}

/**
 * A linked account of a sign-in provider. `issuer` and `subject` together are unique; the e-mail proves nothing.
 */
export interface IdentityRow {
  id: string;
  user_id: string;
  /** The provider's id at the time of linking. */
  provider: string;
  issuer: string;
  subject: string;
  /** Name at the provider, shown in the list only. */
  label: string | null;
  email: string | null;
  linked_at: number;
  last_used_at: number;
}

/**
 * A provider sign-in in progress. It stores no secret: PKCE verifier and nonce derive from the browser's cookie.
 */
export interface OauthFlowRow {
  state_hash: string;
  browser_hash: string;
  provider: string;
  /** `test`: an administrator's test sign-in, which signs nobody in. */
  intent: 'sign-in' | 'link' | 'reauthenticate' | 'test';
  /** The signed-in user who started it, for intents that need one. */
  user_id: string | null;
  session_id: string | null;
  remember: number;
  /** 1 if it may create the first account of the installation. */
  is_set_up: number;
  locale: string | null;
  return_to: string;
  created_at: number;
  expires_at: number;
}

interface ProviderNoticeRow {
  /** SHA-256 of issuer and `jti`. */
  notice_hash: string;
  received_at: number;
}

export interface PasskeyRow {
  id: string;
  user_id: string;
  /** URL-safe base 64, unique. */
  credential_id: string;
  /** COSE key, URL-safe base 64. */
  public_key: string;
  counter: number;
  /** JSON array. */
  transports: string;
  aaguid: string;
  backed_up: number;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

interface TotpRow {
  user_id: string;
  /** The shared secret, encrypted. */
  sealed_secret: string;
  /** The time step of the last accepted code: no code is accepted twice (RFC 6238 §5.2). */
  last_step: number;
  created_at: number;
}

interface RecoveryCodeRow {
  user_id: string;
  /** SHA-256 of 120 random bits. */
  code_hash: string;
}

/**
 * A step in progress: a challenge, a sent code, or a sign-in that waits for its second factor. Deleting the row
 * consumes it.
 */
export interface AuthFlowRow {
  token_hash: string;
  kind:
    | 'sign-up'
    | 'second-factor'
    | 'email-change'
    | 'totp'
    | 'passkey-register'
    | 'passkey-sign-in'
    | 'passkey-reauthenticate'
    | 'passkey-sign-up';
  user_id: string | null;
  /** SHA-256 of the cookie of the browser that started it. */
  browser_hash: string;
  /** Keyed hash of the e-mail address it concerns; null if it concerns no address. */
  email_key_hash: string | null;
  /** Keyed hash of the eight-digit code; null if there is no code, or if no code can be correct. */
  code_hash: string | null;
  tries_left: number;
  /** JSON, encrypted. */
  sealed_data: string;
  created_at: number;
  expires_at: number;
}

/** A link that was sent or handed over. Deleting the row consumes it. */
interface LinkTokenRow {
  token_hash: string;
  kind: 'password-reset' | 'email-undo';
  user_id: string;
  /** JSON, encrypted. */
  sealed_data: string;
  created_at: number;
  expires_at: number;
}

interface LoginFailuresRow {
  /** Keyed hash of an address, or of an address and one of its devices; the address may not exist. */
  account_key: string;
  /** Consecutive failures without a success. */
  failures: number;
  updated_at: number;
}

/** A user who deleted their account and whose recordings are still in the trash. */
interface DepartedUserRow {
  user_id: string;
  left_at: number;
}

export interface RecordingRow {
  id: string;
  owner_id: string;
  title: string;
  /** `foldForSearch(title)` */
  title_folded: string;
  language: string | null;
  /** Sort key of the recording (`orderMsOf`): the instant if the kind is `moment`, else a substitute. */
  started_at: number;
  /** Empty if unknown. */
  time_zone: string;
  recorded_kind: RecordedTime['kind'];
  /** The text of a local time or a date; null for other kinds. */
  recorded_date: string | null;
  /** `file` if the time is the date of the imported file. */
  recorded_from: string | null;
  /** When the take started by its device's clock, if that differs from `started_at`. */
  began_at: number | null;
  duration_ms: number;
  state: 'receiving' | 'finishing' | 'ready' | 'abandoned' | 'failed';
  container: StoredContainer;
  codec: string;
  sample_rate_hz: number;
  channels: number;
  size_bytes: number;
  /**
   * Size of everything stored for it, including files derived from its audio. An import counts its file's size
   * from the beginning.
   */
  stored_bytes: number;
  sha256: string | null;
  source: 'microphone' | 'import';
  device_label: string | null;
  peaks_points: number;
  overview: string | null;
  /** JSON arrays of gaps and of pauses. */
  gaps: string;
  pauses: string;
  /** As the device measured it; null if it did not. */
  microphone_silence_ms: number | null;
  /** JSON array of names. */
  people: string;
  /** Set while one of its stored files does not match the hash of its receipt. */
  damaged_at: number | null;
  /** Set if its audio claims impossible times. The playable part is kept, with the length of its packets. */
  distrusted_at: number | null;
  /**
   * When it was last finished, later than any previous finish; null before the first. Kept when it is reopened.
   */
  finished_at: number | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

export interface UploadRow {
  id: string;
  recording_id: string;
  stream: 'audio' | 'peaks';
  segment_index: number;
  start_ms: number;
  epoch: number;
  /** Set when sealed; until then the blob itself has the actual size. */
  size_bytes: number | null;
  sha256: string | null;
  sealed_at: number | null;
  /** Container of the audio as the device sent it. */
  container: 'ogg' | 'webm' | 'mp4' | 'original';
  /** When the sealed bytes were last read and hashed again. */
  verified_at: number | null;
  /** Set while the bytes do not match the hash of the receipt. */
  damaged_at: number | null;
  /** Size of the file that is played instead of the upload; null if there is none. */
  remuxed_bytes: number | null;
  /** Container of that file; null for files from the time when it was always Ogg. */
  remuxed_container: RemuxedContainer | null;
  /**
   * Length of all packets of a sealed Ogg segment in samples at 48 kHz, counted when the recording is finished;
   * null until then.
   */
  packet_samples: number | null;
  created_at: number;
}

/** Possible containers of the file that is played instead of the upload. */
export type RemuxedContainer = 'ogg' | 'mp4' | 'webm' | 'wav';

interface UploadCapabilityRow {
  token_hash: string;
  recording_id: string;
  /**
   * The public id of the session that requested it, which may have ended since; null for capabilities from before
   * this column existed.
   */
  session_id: string | null;
  /** Browser and system of that session, `Firefox · Linux`. */
  device_label: string;
  expires_at: number;
  created_at: number;
}

/** A recording that is being imported from an account export, with the total size of its files. */
interface AnnouncedRecordingRow {
  recording_id: string;
  size_bytes: number;
}

/** One change to a recording after it was first finished. */
export interface RecordingChangeRow {
  recording_id: string;
  /** 0 for the first change. */
  position: number;
  at: number;
  kind: 'reopened' | 'segment-added' | 'gaps-added' | 'finished-again';
  /** Browser and system of the session that made the change, as far as known. */
  device_label: string;
  /** Start on the timeline, of the segment or of the first gap. */
  from_ms: number | null;
  /** Total length of the added gaps, or length of the recording when it was finished again. */
  duration_ms: number | null;
  /** Number of added gaps. */
  count: number | null;
}

/** Possible containers of a recording's file. */
export type StoredContainer =
  | 'ogg'
  | 'webm'
  | 'mp4'
  | 'matroska'
  | 'mp3'
  | 'wav'
  | 'flac'
  | 'adts'
  | 'aiff'
  | 'caf'
  | 'other';

/**
 * The file that a recording was imported from. The column names have prefixes because queries join them with a
 * recording's columns.
 */
export interface ImportedFileRow {
  recording_id: string;
  /** The recording's owner, so that one index finds files with the same bytes. */
  importer_id: string;
  file_name: string;
  file_media_type: string;
  file_size_bytes: number;
  /** As reported by the device; null if it could not compute the hash. */
  file_sha256: string | null;
  rendition: 'none' | 'waiting' | 'ready' | 'failed';
  failure_reason:
    | 'not-audio'
    | 'no-audio-track'
    | 'encrypted'
    | 'damaged'
    | 'empty'
    | 'format-unsupported'
    | null;
}

/**
 * `judged_version`: the version of the rules that classified the file, 0 if unclassified. `tracks`: JSON list of
 * its audio tracks if it was classified and has several, else null. `quieter_db`: by how much its sound is louder than
 * full scale, and is played quieter, in whole dB; null if it was not measured. `channel_names`: JSON list of the
 * names that the file states for its channels, else null.
 */
export interface JudgedFile {
  judged_version: Generated<number>;
  tracks: Generated<string | null>;
  quieter_db: Generated<number | null>;
  channel_names: Generated<string | null>;
}

/** A user's storage quota, if it differs from the default. */
interface QuotaRow {
  user_id: string;
  quota_bytes: number;
}

interface PurgedRecordingRow {
  id: string;
  owner_id: string;
  purged_at: number;
}

export interface MarkerRow {
  id: string;
  recording_id: string;
  at_ms: number;
  label: string;
  colour: string;
  created_by: string;
  created_at: number;
}

export interface NoteRow {
  id: string;
  recording_id: string;
  from_ms: number;
  /** Null if the note concerns a moment. */
  to_ms: number | null;
  text: string;
  /** Increases by one with every change. */
  revision: number;
  created_by: string;
  created_at: number;
  updated_at: number;
}

/** A passage of a recording that is off the record. */
export interface PassageRow {
  id: string;
  recording_id: string;
  from_ms: number;
  /** Null: until the end. */
  to_ms: number | null;
  created_at: number;
  /** When its owner put it back on the record. The row stays, so that a repeated request does not make it again. */
  released_at: number | null;
}

export interface PlaybackPositionRow {
  recording_id: string;
  user_id: string;
  position_ms: number;
  /** By the playing device's clock, never later than the server's. */
  heard_at: number;
  /** The page that wrote the position. */
  player_id: string;
}

/** The search words of the text in the same row. */
interface TextWords {
  /** Each word once, with a space before, between and after the words. */
  words: Generated<string>;
  /** Version of the rules that produced the words; 0 if not yet produced. */
  words_version: Generated<number>;
}

/** A recording whose indexed words are out of date, with the number of changes since they were last joined. */
interface StaleWordsRow {
  recording_id: string;
  changes: number;
}

/** Total size of a user's notes and marker labels, maintained by triggers. */
interface TextUsageRow {
  user_id: string;
  text_bytes: number;
}

export interface TagRow {
  id: string;
  owner_id: string;
  name: string;
  /** `foldForSearch(name)`, unique among the tags of one owner. */
  name_folded: string;
  colour: string;
  created_at: number;
}

interface RecordingTagRow {
  recording_id: string;
  tag_id: string;
}

export interface SavedViewRow {
  id: string;
  owner_id: string;
  name: string;
  query: string;
  created_at: number;
}

/** A recording that a user has starred. */
/** A count that all servers share; the table of rate-limiter-flexible. */
interface RateLimitRow {
  key: string;
  points: number;
  expire: number | null;
}

/** The failed sign-ins of an account, by the hash of its address. */
interface SignInFailuresRow {
  account: string;
  failures: number;
  blocked_until: number;
  forgotten_at: number;
}

interface FavouriteRow {
  user_id: string;
  recording_id: string;
}

/** The search words of a recording. Each database's full-text index follows this table automatically. */
interface RecordingWordsRow {
  recording_id: string;
  /** Each word once, with a space before, between and after the words; the first one identifies the owner. */
  words: string;
  /** Version of the rules that produced the words; 0 if they must be produced again. */
  version: number;
}

interface ExportTicketRow {
  /** SHA-256 of the ticket, hexadecimal. Deleting the row consumes the ticket. */
  ticket_hash: string;
  owner_id: string;
  /** JSON array of recordings' ids. */
  recording_ids: string;
  expires_at: number;
}

export interface AccountExportRow {
  id: string;
  owner_id: string;
  state: 'preparing' | 'ready' | 'failed';
  /** Size of the whole ZIP file; 0 until it is ready. */
  size_bytes: number;
  entry_count: number;
  /** Offset of the central directory. */
  directory_offset: number;
  directory_size: number;
  recording_count: number;
  left_out: number;
  created_at: number;
  expires_at: number;
}

/**
 * One file in an account's ZIP, with everything its headers contain, so that every byte of the ZIP can be
 * generated again.
 */
export interface AccountExportEntryRow {
  export_id: string;
  position: number;
  path: string;
  size_bytes: number;
  crc32: number;
  /** Offset of its local header. */
  offset_bytes: number;
  /** Offset of its entry, relative to the start of the central directory. */
  directory_bytes: number;
  /** The file's content: the bytes of an upload, else `content`. */
  upload_id: string | null;
  blob_key: string | null;
  content: string | null;
}

/** CRC-32 of sealed uploads, computed on first use. */
interface UploadChecksumRow {
  upload_id: string;
  crc32: number;
}

/** A build of the web app whose files are in the blob store. */
interface WebBuildRow {
  /** A hash of its files. */
  id: string;
  /** JSON array: where each file is stored. */
  files: string;
  /** When a running server last had this build. */
  used_at: number;
}

/** A backup that this installation made, tried to make, or is making. Backups do not contain these rows. */
export interface BackupRow {
  /** Also the name of its snapshot in the target. */
  id: string;
  /** The folder or address. */
  target: string;
  state: 'running' | 'done' | 'failed';
  /** Host and process that make it. */
  owner: string;
  is_scheduled: number;
  started_at: number;
  /** While it is running and this is ahead, nothing that its snapshot names is deleted. */
  lease_until: number;
  ended_at: number | null;
  /** Why it failed. */
  error: string | null;
  /** Size of everything that its snapshot names. */
  size_bytes: number;
  /** The part of it that the target did not have before. */
  copied_bytes: number;
  /** Files that did not match their receipts or were missing. */
  damaged_count: number;
  /** When everything in it was last read back without a difference. */
  verified_at: number | null;
}

export interface JobRow {
  id: string;
  kind: string;
  /** Unique among live jobs of one kind; null if several may be live. */
  dedupe_key: string | null;
  payload: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  priority: number;
  attempts: number;
  run_at: number;
  lease_until: number | null;
  owner: string | null;
  fence: number;
  error: string | null;
  created_at: number;
  updated_at: number;
}

interface JobFairness {
  /** The user whose data the job processes; null if it concerns no user or all users. */
  user_id: Generated<string | null>;
  /** How often the process ended while it ran the job. */
  deaths: Generated<number>;
}

interface JobOrigin {
  /** The request that caused the job, by way of other jobs or not; null if none did. */
  request_id: Generated<string | null>;
}

/** Written and read only by servers of earlier versions, which may run beside this one. */
interface JobTurnRow {
  user_id: string;
  served_at: number;
}

interface JobLaneTurnRow {
  lane: string;
  /** A user, or the kind of jobs that belong to no user. */
  turn_of: string;
  /** When a job of this user or kind was last claimed in this lane. */
  served_at: number;
}

interface AuditEventRow {
  id: string;
  at: number;
  actor_id: string | null;
  action: string;
  subject: string | null;
  ip_prefix: string;
  /** JSON without secrets. */
  detail: string;
}
