import type { Feature } from '#server/features/feature.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { ModelChanges } from './change-models.ts';
import type { FileDownloadDeps } from './download/download-file.ts';
import { ModelGetter } from './download/get-models.ts';
import { knownModels } from './known-models.ts';
import { LocalModels } from './local-models.ts';
import { ModelFiles } from './model-files.ts';
import type { ModelsDeps } from './models-deps.ts';
import { modelsRoutes, transcriptSettingsRoutes } from './models-routes.ts';
import { StoredModels } from './stored-models.ts';
import { readTranscriptSettings, type StoredTranscriptSettings } from './transcript-settings.ts';

export interface SpeechModelsDeps extends Omit<ModelsDeps, 'known' | 'files' | 'provide' | 'waitsForSpace'> {
  /** Its writes stop at the disk reserve. */
  blobs: BlobStore;
  /** Where models of a store without files are copied to; null if the store has files. */
  copiesFolder: string | null;
  /** The models that Earshot knows. Tests have smaller ones. */
  known?: ModelsDeps['known'];
  /** How files are downloaded, for tests. */
  download?: Partial<Pick<FileDownloadDeps, 'fetch' | 'retryDelaysMs' | 'silenceMs'>>;
}

/** The interface of the speech models for the rest of the server. */
export interface SpeechModelsFeature extends Feature, Pick<StoredModels, 'list' | 'languages' | 'modelFor'> {
  /** What administrators decided about transcripts. */
  settings(): Promise<StoredTranscriptSettings>;
}

/** Builds the feature that stores speech models, and lets administrators choose them. */
export function createSpeechModels({
  blobs,
  copiesFolder,
  known = knownModels,
  download = {},
  ...rest
}: SpeechModelsDeps): SpeechModelsFeature {
  const files = new ModelFiles(blobs);
  const local = new LocalModels({ files, clock: rest.clock, copiesFolder });
  const deps: ModelsDeps = {
    ...rest,
    known,
    files,
    provide: (model) => local.provide(model),
    waitsForSpace: copiesFolder !== null,
  };
  const stored = new StoredModels({ ...deps, local });
  const getter = new ModelGetter(deps, download);
  const changes = new ModelChanges({
    ...deps,
    local,
    stopWork: (name) => {
      getter.stopWork(name);
    },
  });
  return {
    ...getter.feature,
    routes: [...modelsRoutes(deps, changes), ...transcriptSettingsRoutes(deps)],
    list: () => stored.list(),
    languages: () => stored.languages(),
    modelFor: (language) => stored.modelFor(language),
    settings: () => readTranscriptSettings(rest.database.queries),
  };
}
