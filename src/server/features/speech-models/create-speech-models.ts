import type { Clock } from '#base/clock.ts';
import type { Feature } from '#server/features/feature.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { LocalModels } from './local-models.ts';
import { ModelFiles } from './model-files.ts';
import { StoredModels } from './stored-models.ts';
import { readTranscriptSettings, type TranscriptSettings } from './transcript-settings.ts';

export interface SpeechModelsDeps {
  database: Database;
  clock: Clock;
  /** Its writes stop at the disk reserve. */
  blobs: BlobStore;
  /** Where models of a store without files are copied to; null if the store has files. */
  copiesFolder: string | null;
}

/** The interface of the speech models for the rest of the server. */
export interface SpeechModels extends Feature, Pick<StoredModels, 'list' | 'languages' | 'modelFor'> {
  /** What administrators decided about transcripts. */
  settings(): Promise<TranscriptSettings>;
}

/** Builds the feature that stores speech models, and lets administrators choose them. */
export function createSpeechModels({ database, clock, blobs, copiesFolder }: SpeechModelsDeps): SpeechModels {
  const files = new ModelFiles(blobs);
  const stored = new StoredModels({
    database,
    files,
    local: new LocalModels({ files, clock, copiesFolder }),
  });
  return {
    list: () => stored.list(),
    languages: () => stored.languages(),
    modelFor: (language) => stored.modelFor(language),
    settings: () => readTranscriptSettings(database.queries),
  };
}
