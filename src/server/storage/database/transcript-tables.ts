/** The tables of transcripts, as `Schema` has the others. */
export interface TranscriptTables {
  transcripts: TranscriptRow;
  transcript_lines: TranscriptLineRow;
  transcript_corrections: TranscriptCorrectionRow;
  transcribed_days: TranscribedDayRow;
}

/** The transcript of a recording, and how far the newest transcription of it is. */
export interface TranscriptRow {
  recording_id: string;
  state: 'waiting' | 'running' | 'ready' | 'stopped' | 'failed';
  /** The primary subtag of the language in which it is transcribed; null until it is known. */
  language: string | null;
  /** The name of the speech model; null for an engine that has its own. */
  model: string | null;
  /** The part that is transcribed: to the end of the recording if `to_ms` is null. */
  from_ms: number;
  to_ms: number | null;
  /** 1 if the part is transcribed as a whole, also where no speech is found. */
  hears_all: number;
  /** The cursor: everything of the part that is before it is transcribed. */
  heard_to_ms: number;
  /** Why it failed or waits; null if it did not. */
  cause: string | null;
  /** Increases with every change of the transcript and its corrections. */
  revision: number;
  created_at: number;
  updated_at: number;
  ended_at: number | null;
}

/** A line of a transcript as the engine heard it, or a stretch without words and its cause. */
export interface TranscriptLineRow {
  recording_id: string;
  from_ms: number;
  to_ms: number;
  /** What the engine heard in one call. */
  chunk_from_ms: number;
  chunk_to_ms: number;
  timing: 'word' | 'chunk';
  doubt: 'loop' | 'doubtful' | null;
  cause: 'engine-died' | 'no-answer' | 'no-speech' | 'muted' | null;
  language: string | null;
  text: string;
  /** JSON: `[[fromMs, toMs], …]` for each word of the text, which spaces divide. */
  times: string;
  words: string;
  words_version: number;
}

/** What a user wrote in place of the words of a span. An empty text: nobody speaks there. */
export interface TranscriptCorrectionRow {
  id: string;
  recording_id: string;
  from_ms: number;
  to_ms: number;
  text: string;
  revision: number;
  created_by: string;
  created_at: number;
  updated_at: number;
  words: string;
  words_version: number;
}

/** How much sound was transcribed for a user on a day in UTC, `2026-11-21`. */
interface TranscribedDayRow {
  user_id: string;
  day: string;
  sound_ms: number;
}
