import type { ColumnType, Generated } from 'kysely';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';

/**
 * The tables, as the query builder sees them. Values are normalised at this port, so that both databases
 * answer alike: ids are UUID text, instants integer Unix milliseconds, booleans 0 or 1, JSON is text that its
 * owner parses.
 */
export interface Schema {
  users: UserRow;
  credentials: CredentialRow;
  sessions: SessionRow;
  identities: IdentityRow;
  oauth_flows: OauthFlowRow;
  provider_notices: ProviderNoticeRow;
  /** `text_bytes`: of all its notes and marker labels; triggers keep it. */
  recordings: Omit<RecordingRow, 'recorded_kind'> & {
    recorded_kind: ColumnType<RecordingRow['recorded_kind'], RecordingRow['recorded_kind'] | undefined>;
    text_bytes: Generated<number>;
  };
  uploads: UploadRow;
  purged_recordings: PurgedRecordingRow;
  markers: MarkerRow & TextWords;
  jobs: JobRow & JobFairness;
  job_turns: JobTurnRow;
  audit_events: AuditEventRow;
  passkeys: PasskeyRow;
  totp: TotpRow;
  recovery_codes: RecoveryCodeRow;
  auth_flows: AuthFlowRow;
  link_tokens: LinkTokenRow;
  login_failures: LoginFailuresRow;
  departed_users: DepartedUserRow;
  idempotency_keys: IdempotencyKeyRow;
  upload_capabilities: UploadCapabilityRow;
  recording_changes: RecordingChangeRow;
  announced_recordings: AnnouncedRecordingRow;
  imported_files: ImportedFileRow & JudgedFile;
  quotas: QuotaRow;
  tags: TagRow & TextWords;
  recording_tags: RecordingTagRow;
  saved_views: SavedViewRow;
  favourites: FavouriteRow;
  recording_words: RecordingWordsRow;
  stale_words: StaleWordsRow;
  text_usage: TextUsageRow;
  notes: NoteRow & TextWords;
  playback_positions: PlaybackPositionRow;
  export_tickets: ExportTicketRow;
  account_exports: AccountExportRow;
  account_export_entries: AccountExportEntryRow;
  upload_checksums: UploadChecksumRow;
  /** Facts about the installation: the fingerprint of its secret key. */
  installation: { name: string; value: string };
}

export interface UserRow {
  id: string;
  display_name: string;
  email: string | null;
  /** The e-mail as it is compared: NFKC, lower case; unique. */
  email_key: string | null;
  /** When it was proven that the e-mail is the person's; null where it is only a name to sign in with. */
  email_verified_at: number | null;
  locale: string | null;
  role: 'member' | 'admin';
  created_at: number;
  disabled_at: number | null;
  /**
   * When the person last confirmed, on any device, that they saw what an administrator did to their account.
   */
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
  /** When the person last proved who they are. */
  auth_time: number;
  /** When that proof was, or was joined by, a second factor; null when it never was. */
  second_factor_at: number | null;
  /**
   * When the person last gave a proof that a change of how the account is protected may rest on; null when
   * they never did.
   */
  proven_at: number | null;
  /** When the person confirmed, in this session, that they saw what an administrator did to their account. */
  notices_seen_at: number | null;
  method: string;
  label: string;
  ip_prefix: string;
}

/**
 * A provider's account that somebody signs in with: `issuer` and `subject` together are unique, an e-mail
 * proves nothing.
 */
export interface IdentityRow {
  id: string;
  user_id: string;
  /** The id of the provider when it was linked. */
  provider: string;
  issuer: string;
  subject: string;
  /** Name at the provider, for the list alone. */
  label: string | null;
  email: string | null;
  linked_at: number;
  last_used_at: number;
}

/**
 * A sign-in on its way to a provider and back. It holds no secret: PKCE verifier and nonce come from the
 * browser's cookie.
 */
export interface OauthFlowRow {
  state_hash: string;
  browser_hash: string;
  provider: string;
  intent: 'sign-in' | 'link' | 'reauthenticate';
  /** Who began it, where somebody was signed in and the intent needs that. */
  user_id: string | null;
  session_id: string | null;
  remember: number;
  /** 1 where it may make the first account of the installation. */
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
  /** The last time step a code was taken from: no code counts twice (RFC 6238 §5.2). */
  last_step: number;
  created_at: number;
}

interface RecoveryCodeRow {
  user_id: string;
  /** SHA-256 of 120 random bits. */
  code_hash: string;
}

/**
 * A step that is under way: a challenge, a code that was sent, a sign-in that waits for its second factor.
 * Used up by deleting it.
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
  /** SHA-256 of the cookie of the browser that began it. */
  browser_hash: string;
  /** Of the address it is about, encrypted beyond recognition; null where there is none. */
  email_key_hash: string | null;
  /** Of the code of eight digits, keyed; null where there is none, or none that could be right. */
  code_hash: string | null;
  tries_left: number;
  /** JSON, encrypted. */
  sealed_data: string;
  created_at: number;
  expires_at: number;
}

/** A link that was sent or handed over; used up by deleting it. */
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
  /** Keyed hash of an address, or of an address and one of its devices; the address need not exist. */
  account_key: string;
  /** Without a success between them. */
  failures: number;
  updated_at: number;
}

/** A person who has left and whose recordings are still in the trash. */
interface DepartedUserRow {
  user_id: string;
  left_at: number;
}

interface IdempotencyKeyRow {
  principal: string;
  key_hash: string;
  /** SHA-256 of method, path and body. */
  request_hash: string;
  /** Null while the first request is being worked on. */
  status: number | null;
  reply: string | null;
  expires_at: number;
}

export interface RecordingRow {
  id: string;
  owner_id: string;
  title: string;
  /** `foldForSearch(title)` */
  title_folded: string;
  language: string | null;
  /**
   * By which the recording sorts (`orderMsOf`): the instant of a moment, and what stands for one of another
   * kind.
   */
  started_at: number;
  /** Empty where it is not known. */
  time_zone: string;
  recorded_kind: RecordedTime['kind'];
  /** The text of a local time or a date; null for other kinds. */
  recorded_date: string | null;
  /** When a take began by its device, where `started_at` is something else. */
  began_at: number | null;
  duration_ms: number;
  state: 'receiving' | 'finishing' | 'ready' | 'abandoned' | 'failed';
  container: StoredContainer;
  codec: string;
  sample_rate_hz: number;
  channels: number;
  size_bytes: number;
  /**
   * Everything that is kept of it, what was made of its sound included; of an import its file's size from the
   * beginning.
   */
  stored_bytes: number;
  sha256: string | null;
  source: 'microphone' | 'import';
  device_label: string | null;
  peaks_points: number;
  overview: string | null;
  /** JSON array of gaps. */
  gaps: string;
  /** JSON array of pauses. */
  pauses: string;
  /** JSON array of names. */
  people: string;
  /** Set while a stored file of it does not have the hash of its receipt. */
  damaged_at: number | null;
  /**
   * Set where its sound claims times that cannot be: what can be played is kept, as long as its packets are.
   */
  distrusted_at: number | null;
  /** When it was last finished, larger at every finish; null until then. Stays when it is reopened. */
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
  /** Set when sealed; until then the truth is the blob itself. */
  size_bytes: number | null;
  sha256: string | null;
  sealed_at: number | null;
  /** Of the audio as it came from the device. */
  container: 'ogg' | 'webm' | 'mp4' | 'original';
  /** When the sealed bytes were last read and hashed again. */
  verified_at: number | null;
  /** Set while they do not have the hash of the receipt. */
  damaged_at: number | null;
  /** Size of the file that is played in the place of what came; null where there is none. */
  remuxed_bytes: number | null;
  /** What that file is; null of one that was made when it was always Ogg. */
  remuxed_container: RemuxedContainer | null;
  /**
   * The sound of all packets of a sealed Ogg segment at 48 kHz, counted when the recording was finished; null
   * until then.
   */
  packet_samples: number | null;
  created_at: number;
}

/** What the file can be that is played in the place of what came. */
export type RemuxedContainer = 'ogg' | 'mp4' | 'webm' | 'wav';

interface UploadCapabilityRow {
  token_hash: string;
  recording_id: string;
  /**
   * The public id of the session that asked for it, which may have ended since; null for those issued before
   * sessions were stored here.
   */
  session_id: string | null;
  /** Browser and system of that session, `Firefox · Linux`. */
  device_label: string;
  expires_at: number;
  created_at: number;
}

/** A recording that is being restored, with the size of all its files. */
interface AnnouncedRecordingRow {
  recording_id: string;
  size_bytes: number;
}

/** One change of a recording that had been finished before. */
export interface RecordingChangeRow {
  recording_id: string;
  /** 0 for the first change. */
  position: number;
  at: number;
  kind: 'reopened' | 'segment-added' | 'gaps-added' | 'finished-again';
  /** Browser and system of the session behind it, as far as it is known. */
  device_label: string;
  /** Where on the timeline it begins: of a segment, or of the first gap. */
  from_ms: number | null;
  /** Of all added gaps together, or of the recording when it was finished again. */
  duration_ms: number | null;
  /** How many gaps were added. */
  count: number | null;
}

/** What a recording's file can be. */
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
 * The file that a recording was imported from; its columns stand beside a recording's in one query, hence
 * their names.
 */
export interface ImportedFileRow {
  recording_id: string;
  /** The recording's owner, so that the same bytes are found by one index. */
  importer_id: string;
  file_name: string;
  file_media_type: string;
  file_size_bytes: number;
  /** As the device told it; null where it could not. */
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
 * `judged_version`: by which version of the rules the file was judged, 0 where by none. `tracks`: JSON, its
 * tracks of sound where it has several and was judged, else null.
 */
export interface JudgedFile {
  judged_version: Generated<number>;
  tracks: Generated<string | null>;
}

/** How much one person may store, where it is not as much as everybody. */
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
  /** Null where the note is about a moment. */
  to_ms: number | null;
  text: string;
  /** One more with every change. */
  revision: number;
  created_by: string;
  created_at: number;
  updated_at: number;
}

export interface PlaybackPositionRow {
  recording_id: string;
  user_id: string;
  position_ms: number;
  /** By the clock of the device that played, never later than the server's. */
  heard_at: number;
  /** The page that wrote it. */
  player_id: string;
}

/** The search words of the text in the same row. */
interface TextWords {
  /** Each once, with a space before, between and behind them. */
  words: Generated<string>;
  /** Of the rules by which they were made; 0 where they are not made yet. */
  words_version: Generated<number>;
}

/** A recording that is found by old words, with the number of changes since they were joined. */
interface StaleWordsRow {
  recording_id: string;
  changes: number;
}

/** Bytes of all notes and marker labels of a user. Triggers keep it. */
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

/** A recording that a person has starred. */
interface FavouriteRow {
  user_id: string;
  recording_id: string;
}

/** What a recording is found by. The full-text index of either database follows this table by itself. */
interface RecordingWordsRow {
  recording_id: string;
  /** Search words, each once, with a space before, between and behind them; the first one names the owner. */
  words: string;
  /** Of the rules by which the words were made; 0 where they are to be made again. */
  version: number;
}

interface ExportTicketRow {
  /** SHA-256 of the ticket, hexadecimal; used up by deleting the row. */
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
  /** Of the whole ZIP file; 0 until it is ready. */
  size_bytes: number;
  entry_count: number;
  /** Where the central directory begins. */
  directory_offset: number;
  directory_size: number;
  recording_count: number;
  left_out: number;
  created_at: number;
  expires_at: number;
}

/**
 * One file in an account's ZIP, with all that its headers say: so every byte of the ZIP can be made again.
 */
export interface AccountExportEntryRow {
  export_id: string;
  position: number;
  path: string;
  size_bytes: number;
  crc32: number;
  /** Where its local header begins. */
  offset_bytes: number;
  /** Where its record lies in the central directory, from the beginning of that. */
  directory_bytes: number;
  /** What is in it: the bytes of an upload, else `content`. */
  upload_id: string | null;
  blob_key: string | null;
  content: string | null;
}

/** CRC-32 of sealed uploads, computed when one is first asked for. */
interface UploadChecksumRow {
  upload_id: string;
  crc32: number;
}

export interface JobRow {
  id: string;
  kind: string;
  /** Unique among live jobs of one kind; null where several may live. */
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
  /** Whose data the job is about; null where it is nobody's or everybody's. */
  user_id: Generated<string | null>;
  /** How often its process ended while it ran. */
  deaths: Generated<number>;
}

interface JobTurnRow {
  user_id: string;
  /** When a job of this user was last taken. */
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
