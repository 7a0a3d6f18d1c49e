import type { ColumnType, Generated } from 'kysely';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import type { CredentialsSchema } from './credentials-schema.ts';
import type { ExportsSchema } from './exports-schema.ts';
import type { NotesSchema } from './notes-schema.ts';
import type { ImportsSchema, StoredContainer } from './imports-schema.ts';
import type { LibrarySchema, TextWords } from './library-schema.ts';
import type { PositionsSchema } from './positions-schema.ts';
import type { RemuxedContainer, UploadsSchema } from './uploads-schema.ts';

/**
 * The tables, as the query builder sees them. Values are normalised at this port, so that both databases
 * answer alike: ids are UUID text, instants integer Unix milliseconds, booleans 0 or 1, JSON is text that its
 * owner parses.
 */
export interface Schema
  extends
    CredentialsSchema,
    ExportsSchema,
    ImportsSchema,
    LibrarySchema,
    NotesSchema,
    PositionsSchema,
    UploadsSchema {
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
