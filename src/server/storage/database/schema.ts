/**
 * The tables, as the query builder sees them. Values are normalised at this port, so that both databases answer alike:
 * ids are UUID text, instants integer Unix milliseconds, booleans 0 or 1, JSON is text that its owner parses.
 */
export interface Schema {
  users: UserRow;
  credentials: CredentialRow;
  sessions: SessionRow;
  recordings: RecordingRow;
  uploads: UploadRow;
  upload_capabilities: UploadCapabilityRow;
  purged_recordings: PurgedRecordingRow;
  markers: MarkerRow;
  jobs: JobRow;
  audit_events: AuditEventRow;
}

export interface UserRow {
  id: string;
  display_name: string;
  email: string | null;
  /** The e-mail as it is compared: NFKC, lower case; unique. */
  email_key: string | null;
  locale: string | null;
  role: 'member' | 'admin';
  created_at: number;
  disabled_at: number | null;
}

interface CredentialRow {
  id: string;
  user_id: string;
  kind: 'password' | 'passkey' | 'totp';
  /** JSON; for a password `{ "hash": PHC string }`. */
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
  auth_time: number;
  method: string;
  label: string;
  ip_prefix: string;
}

export interface RecordingRow {
  id: string;
  owner_id: string;
  title: string;
  /** `foldForSearch(title)` */
  title_folded: string;
  language: string | null;
  started_at: number;
  time_zone: string;
  duration_ms: number;
  state: 'receiving' | 'finishing' | 'ready' | 'abandoned' | 'failed';
  container: 'ogg';
  codec: 'opus';
  sample_rate_hz: number;
  channels: number;
  size_bytes: number;
  sha256: string | null;
  source: 'microphone' | 'import';
  device_label: string | null;
  peaks_points: number;
  overview: string | null;
  /** JSON array of gaps. */
  gaps: string;
  /** JSON array of pauses. */
  pauses: string;
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
  created_at: number;
}

interface UploadCapabilityRow {
  token_hash: string;
  recording_id: string;
  expires_at: number;
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
