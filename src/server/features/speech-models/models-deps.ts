import type { Clock } from '#base/clock.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { SpeechModel, Transcriber } from '#server/transcribers/transcriber.ts';
import type { KnownModel } from './known-models.ts';
import type { ModelFiles } from './model-files.ts';

/** Space in which models are stored; null if it is not known. */
interface ModelSpace {
  freeBytes: number | null;
  /** What must stay free. */
  reserveBytes: number;
}

/** What the download, the upload and the test of speech models need. */
export interface ModelsDeps {
  database: Database;
  clock: Clock;
  queue: JobQueue;
  announce: Pick<ChangeAnnouncer, 'transcriberChanged'>;
  /** Null if the operator has switched transcripts off. */
  transcriber: Transcriber | null;
  /** Where models come from, `https://huggingface.co` or a mirror of it. */
  modelsUrl: string;
  known: readonly KnownModel[];
  files: ModelFiles;
  /** Provides the files of a complete model. */
  provide: (model: KnownModel) => Promise<SpeechModel>;
  space: () => Promise<ModelSpace>;
  /** Whether a full store empties itself, so that a download continues later. */
  waitsForSpace: boolean;
}

export const getModelJob = 'get-speech-model';

/** Enqueues the job that works for all models, one after another. The key is that of its schedule. */
export const requestWork = (queue: JobQueue, database: Pick<Database, 'queries'>): Promise<void> =>
  queue.enqueue(database.queries, { kind: getModelJob, dedupeKey: 'scheduled', payload: null });
