/** A request with an `Idempotency-Key`, and its answer. */
interface IdempotencyKeyRow {
  principal: string;
  key_hash: string;
  /** SHA-256 of method, path and body. */
  request_hash: string;
  /** Null while the first request is being processed. */
  status: number | null;
  reply: string | null;
  /** The recording that the reply describes, with which it is deleted. */
  recording_id: string | null;
  expires_at: number;
}

/** The tables of what runs, which no backup contains. */
export interface OperationsTables {
  idempotency_keys: IdempotencyKeyRow;
  nodes: NodeRow;
  verification_passes: VerificationPassRow;
  backup_lineage: BackupLineageRow;
  speech_models: SpeechModelRow;
}

/** A server process of this installation. */
export interface NodeRow {
  /** Random for each process. */
  id: string;
  /** The name of its machine or container. */
  host: string;
  /** Host and data directory, which one server uses at a time. */
  place: string;
  role: 'all' | 'web' | 'worker';
  version: string;
  /** A hash of its code. */
  build: string;
  state: 'running' | 'draining';
  started_at: number;
  /** The time of its last heartbeat, by the database's clock. */
  seen_at: number;
  /** Space on the disk of its data directory; null if it could not be measured. */
  disk_free_bytes: number | null;
  disk_total_bytes: number | null;
  /** By how much its clock is ahead of the database's; null if they are the same clock, or if it is not known. */
  clock_ahead_ms: number | null;
  /** The interval of the backups that it schedules; null if it schedules none. */
  backup_every_ms: number | null;
}

/** The last time that every stored stream was verified. */
interface VerificationPassRow {
  /** `complete` is the only one. */
  name: string;
  ended_at: number;
}

/** Whose backups this database makes. There is one row, which no backup and no move copies. */
interface BackupLineageRow {
  only: number;
  id: string;
  made_by: 'first' | 'restore' | 'move' | 'adopt';
  made_at: number;
  continues: string | null;
}

/** A speech model of which files are stored, or asked for. A model without a row is absent. */
export interface SpeechModelRow {
  name: string;
  /**
   * `paused`: a part is stored. `checking`: its files are complete, and are compared or tested. `ready`: transcribes.
   * `untested`: complete, but no engine could test it.
   */
  state: 'downloading' | 'paused' | 'checking' | 'ready' | 'untested' | 'failed';
  stored_bytes: number;
  /** Why it failed. */
  cause: 'unreachable' | 'wrong-file' | 'storage-full' | 'model-broken' | null;
  /** What the host or the engine said, for administrators. */
  detail: string | null;
  /** How many words of the test were wrong. */
  wrong_words: number | null;
  /** How long one second of sound took in the test. */
  ms_per_second: number | null;
  /** Whether the test gave times of words. */
  gives: 'word' | 'text' | null;
  /** Set once a test has succeeded. */
  tested_at: number | null;
  updated_at: number;
}
