import type { LightMyRequestResponse } from 'fastify';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import {
  append,
  complete,
  finish,
  openUpload,
  sha256Of,
  type ApiUnderTest,
  type TestUser,
  type Take,
} from './api-under-test.ts';
import { newId } from './factories.ts';

export interface FileToImport {
  name: string;
  bytes: Uint8Array;
  mediaType?: string;
  peaks?: Uint8Array;
  durationMs?: number;
  sha256?: string | null;
  sizeBytes?: number;
  recordedTime?: RecordedTime;
}

const pieceBytes = 1024 * 1024;

/** The registration of an import, as a device sends it for a file that it could not read. */
export const newImport = ({
  name,
  bytes,
  mediaType = '',
  sha256 = sha256Of(bytes),
  sizeBytes = bytes.length,
  recordedTime,
}: FileToImport) => ({
  title: name.replace(/\.\w+$/, ''),
  ...(recordedTime === undefined
    ? { startedAt: '1961-05-25T12:00:00.000Z', timeZone: 'America/New_York' }
    : { recordedTime }),
  format: { container: 'other', codec: 'unknown', sampleRateHz: 48_000, channels: 2 },
  source: 'import',
  file: { name, mediaType, sizeBytes, sha256 },
});

/** Sends all bytes of one stream in several requests and completes the upload. */
async function send(
  api: ApiUnderTest,
  take: Take,
  { uploadId, bytes }: { uploadId: string; bytes: Uint8Array },
): Promise<void> {
  for (let offset = 0; offset < bytes.length; offset += pieceBytes)
    await append(api, take, { uploadId, offset, bytes: bytes.subarray(offset, offset + pieceBytes) });
  await complete(api, take, { uploadId, bytes });
}

/** Registers the import of a file and opens its upload. */
export async function startImport(
  api: ApiUnderTest,
  user: TestUser,
  file: FileToImport,
): Promise<{ take: Take; registered: LightMyRequestResponse }> {
  const [recordingId, audioId, peaksId] = [newId(), newId(), newId()];
  const registered = await api.as(user, {
    method: 'PUT',
    url: `/api/recordings/${recordingId}`,
    payload: newImport(file),
  });
  const token =
    registered.statusCode < 300 ? registered.json<{ upload: { token: string } }>().upload.token : '';
  const take = { recordingId, token, audioId, peaksId, bearer: { authorization: `Bearer ${token}` } };
  if (token !== '')
    await openUpload(api, take, { uploadId: audioId, stream: 'audio', container: 'original' });
  return { take, registered };
}

/** Imports a file completely, including its jobs, and returns the resulting recording. */
export async function importFile(
  api: ApiUnderTest,
  user: TestUser,
  file: FileToImport,
): Promise<{ take: Take; recording: RecordingDetails; finished: LightMyRequestResponse }> {
  const { take } = await startImport(api, user, file);
  await send(api, take, { uploadId: take.audioId, bytes: file.bytes });
  if (file.peaks) {
    await openUpload(api, take, { uploadId: take.peaksId, stream: 'peaks' });
    await send(api, take, { uploadId: take.peaksId, bytes: file.peaks });
  }
  const finished = await finish(api, take, { durationMs: file.durationMs ?? 0 });
  await api.runJobs();
  return {
    take,
    finished,
    recording: (await api.as(user, { url: `/api/recordings/${take.recordingId}` })).json<RecordingDetails>(),
  };
}
