/** The tables of who may add to a recording, and what was added after it was finished. */
export interface UploadsSchema {
  upload_capabilities: UploadCapabilityRow;
  recording_changes: RecordingChangeRow;
  announced_recordings: AnnouncedRecordingRow;
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
