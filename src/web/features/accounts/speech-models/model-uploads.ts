import { createStore } from '#base/store.ts';
import { queryClient } from '#web/api/queries/query-client.ts';
import { userScope } from '#web/api/user-scope.ts';
import { matchFiles, type FilePlace } from './match-files.ts';
import { uploadFile } from './upload-file.ts';
import { type ShownModel, speechModelsKey } from './use-speech-models.ts';

export interface ModelUpload {
  fileName: string;
  sizeBytes: number;
  storedBytes: number;
  /** `unknown`: not a file of a known model. */
  state: 'waiting' | 'sending' | 'done' | 'unknown' | 'failed';
  error: unknown;
}

/** The files that this page sends. They continue while other pages of the app are shown. */
export const modelUploads = createStore<readonly ModelUpload[]>([]);

let stopping = new AbortController();

function change(fileName: string, changes: Partial<ModelUpload>): void {
  modelUploads.set(
    modelUploads
      .getSnapshot()
      .map((upload) => (upload.fileName === fileName ? { ...upload, ...changes } : upload)),
  );
}

async function send(file: File, place: FilePlace, signal: AbortSignal): Promise<void> {
  change(file.name, { state: 'sending' });
  try {
    const onStored = (storedBytes: number): void => {
      if (!signal.aborted) change(file.name, { storedBytes });
    };
    await uploadFile({ file, place, onStored, signal });
    change(file.name, { state: 'done' });
  } catch (error) {
    if (!signal.aborted) change(file.name, { state: 'failed', error });
  }
  await queryClient.invalidateQueries({ queryKey: speechModelsKey });
}

/** Sends the files that belong to known models, one after another. Files that were chosen before are replaced. */
export async function uploadModelFiles(files: readonly File[], models: readonly ShownModel[]): Promise<void> {
  stopModelUploads();
  stopping = new AbortController();
  const { signal } = stopping;
  const matched = matchFiles(files, models);
  modelUploads.set(
    matched.map(({ file, place }) => ({
      fileName: file.name,
      sizeBytes: file.size,
      storedBytes: 0,
      state: place === null ? 'unknown' : 'waiting',
      error: null,
    })),
  );
  for (const { file, place } of matched)
    if (place !== null && !signal.aborted) await send(file, place, signal);
}

/** Ends the uploads. What is stored stays on the server. */
export function stopModelUploads(): void {
  stopping.abort();
  modelUploads.set([]);
}

userScope.onSessionEnd(stopModelUploads);
