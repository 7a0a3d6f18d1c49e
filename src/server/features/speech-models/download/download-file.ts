import { setTimeout as delay } from 'node:timers/promises';
import { minute, second } from '#base/duration.ts';
import { gatherBytes } from '#server/storage/blobs/gather-bytes.ts';
import type { KnownFile } from '#server/features/speech-models/known-models.ts';
import { type ModelFiles, pieceBytes } from '#server/features/speech-models/model-files.ts';
import { fetchFile, type FetchDeps, UnreachableError, WrongFileError } from './fetch-file.ts';

/** How long to wait after each attempt in a row that brought nothing. After the last one, an administrator decides. */
export const defaultRetryDelaysMs: readonly number[] = [second, 10 * second, minute, 5 * minute];

export interface FileDownloadDeps extends FetchDeps {
  files: ModelFiles;
  retryDelaysMs: readonly number[];
}

interface Download {
  file: KnownFile;
  url: string;
  /** Called after each piece is stored. */
  onStored: () => Promise<void>;
  /** Called when the connection was lost, before the next attempt. */
  onLost: (error: UnreachableError) => Promise<void>;
  signal: AbortSignal;
}

/** Ends where the connection was lost, so that what came before is stored. `onLost` gets the error. */
async function* untilLost(
  source: AsyncIterable<Uint8Array>,
  onLost: (error: UnreachableError) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    onLost(error);
  }
}

/** Stores what the host gives until the file is complete or the connection is lost. */
async function downloadRest(
  deps: FileDownloadDeps,
  { file, url, onStored, signal }: Download,
): Promise<void> {
  let offsetBytes = await deps.files.storedBytes(file);
  if (offsetBytes === file.sizeBytes) return;
  let lost = new UnreachableError('the connection ended early');
  const source = untilLost(
    fetchFile({ url, sizeBytes: file.sizeBytes, offsetBytes }, deps, signal),
    (error) => {
      lost = error;
    },
  );
  for await (const bytes of gatherBytes(source, pieceBytes)) {
    offsetBytes = await deps.files.append(file, offsetBytes, bytes);
    await onStored();
  }
  if (offsetBytes < file.sizeBytes) throw lost;
}

/** Tries again until the file is complete, or some attempts in a row brought nothing. */
async function downloadAll(deps: FileDownloadDeps, download: Download): Promise<void> {
  const { files, retryDelaysMs } = deps;
  const { file, signal } = download;
  for (let failures = 0; ;) {
    const before = await files.storedBytes(file);
    try {
      return await downloadRest(deps, download);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      failures = (await files.storedBytes(file)) > before ? 0 : failures + 1;
      if (failures > retryDelaysMs.length) throw error;
      await download.onLost(error);
      await delay(retryDelaysMs[Math.max(0, failures - 1)], undefined, { signal });
    }
  }
}

/**
 * Downloads a file from where an earlier attempt ended, and compares its hash. The bytes of a wrong file are deleted.
 * @throws UnreachableError after some attempts in a row that brought nothing
 * @throws WrongFileError if the host has another file
 */
export async function downloadFile(deps: FileDownloadDeps, download: Download): Promise<void> {
  const { files } = deps;
  const { file, signal } = download;
  try {
    await downloadAll(deps, download);
    if (!(await files.isIntact(file, signal))) throw new WrongFileError('the hash is another one');
  } catch (error) {
    if (error instanceof WrongFileError) await files.remove(file);
    throw error;
  }
}
