import type { Clock } from '#base/clock.ts';
import type { RecordingAccess } from '#server/features/access/recording-access.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { Recordings } from '#server/features/recordings/create-recordings.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { SpeechModel, Transcriber } from '#server/transcribers/transcriber.ts';

/** The stored speech models, and what administrators have set. */
interface StoredSpeechModels {
  /** The model for a language, or for any if it is null; null if none is stored that knows it. */
  modelFor(language: string | null): Promise<SpeechModel | null>;
  settings(): Promise<{ isOn: boolean; hoursPerDay: number }>;
}

export interface TranscriptsDeps {
  access: RecordingAccess;
  database: Database;
  clock: Clock;
  queue: JobQueue;
  announce: Pick<ChangeAnnouncer, 'transcriptChanged'>;
  recordings: Pick<Recordings, 'find' | 'sounds'>;
  /** Null if the operator has switched transcripts off. */
  transcriber: Transcriber | null;
  models: StoredSpeechModels;
  /** Called for each stored chunk: `words`, `no-words`, or why it has none. */
  onTranscribed?: (soundMs: number, outcome: string) => void;
}

/** The queue's name for a transcription. */
export const transcribeJob = 'transcribe';
