import { limits } from '#contract/limits.ts';
import { routeOf } from '#contract/routes.ts';
import { answerOrError, ApiError } from '#web/api/api-error.ts';
import { call, urlOf } from '#web/api/call.ts';
import { request } from '#web/api/request.ts';
import type { FilePlace } from './match-files.ts';

interface Upload {
  file: File;
  place: FilePlace;
  /** Called with the bytes that the server has. */
  onStored: (bytes: number) => void;
  signal: AbortSignal;
}

async function storedBytesOf({ place, signal }: Upload): Promise<number> {
  const { models } = await call('listSpeechModels', { signal });
  const model = models.find(({ name }) => name === place.modelName);
  return model?.files.find(({ name }) => name === place.fileName)?.storedBytes ?? 0;
}

async function sendPiece({ file, place, signal }: Upload, offset: number): Promise<number> {
  const end = Math.min(file.size, offset + limits.appendSizeBytes);
  const url = urlOf('appendSpeechModelFile', { params: { name: place.modelName, file: place.fileName } });
  const body = await file.slice(offset, end).arrayBuffer();
  await answerOrError(() =>
    request(url, {
      method: routeOf('appendSpeechModelFile').method,
      headers: { 'content-type': 'application/partial-upload', 'upload-offset': String(offset) },
      body,
      signal,
    }),
  );
  return end;
}

/**
 * Sends a file in pieces, from what the server has of it.
 * @throws ApiError: `checksum-mismatch` if it is not the expected file, and others
 */
export async function uploadFile(upload: Upload): Promise<void> {
  const { file, onStored } = upload;
  let offset = await storedBytesOf(upload);
  let mismatches = 0;
  onStored(offset);
  while (offset < file.size) {
    try {
      offset = await sendPiece(upload, offset);
      mismatches = 0;
    } catch (error) {
      // The answer to the piece before was lost, or another page sends the same file.
      if (!(error instanceof ApiError) || error.code !== 'offset-mismatch' || mismatches > 2) throw error;
      mismatches += 1;
      offset = await storedBytesOf(upload);
    }
    onStored(offset);
  }
}
