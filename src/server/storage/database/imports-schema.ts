import type { Generated } from 'kysely';

/** The tables of files that were made elsewhere. */
export interface ImportsSchema {
  imported_files: ImportedFileRow & JudgedFile;
  quotas: QuotaRow;
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
