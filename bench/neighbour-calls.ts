import { second } from '#base/duration.ts';
import { type ApiClient, appendAll, sealTake, sha256Hex, startTake } from '#tests/support/api-client.ts';
import { oggOfSilence, peaksOf } from '#tests/support/api-under-test.ts';

/** The headers of a page of the app. */
export const asUser = (user: ApiClient) => ({
  cookie: user.cookie,
  'sec-fetch-site': 'same-origin',
  'x-requested-with': 'earshot',
});

/** Records a minute of silence. Returns the id of the recording. */
export async function finishedTake(user: ApiClient): Promise<string> {
  const take = await startTake(user);
  const [audio, peaks] = [oggOfSilence(60), peaksOf(60)];
  const sealed = (bytes: Uint8Array) => ({ lengthBytes: bytes.length, sha256: sha256Hex(bytes) });
  await appendAll(user, { uploadId: take.audioId, token: take.token }, { bytes: audio });
  await appendAll(user, { uploadId: take.peaksId, token: take.token }, { bytes: peaks });
  await sealTake(user, take, { audio: sealed(audio), peaks: sealed(peaks), durationMs: 60 * second });
  return take.recordingId;
}
