import { appendAll, type ApiClient, sealTake, sha256Hex, startTake } from '#tests/support/api-client.ts';
import { asSound } from '#tests/support/sound-bytes.ts';

/** The bytes of one stream: never the same twice, so that no two streams share content. */
export const streamBytes = (seed: number, sizeBytes: number): Buffer =>
  asSound(
    Buffer.from(
      Array.from({ length: sizeBytes }, (_, index) => (index * 31 + seed * 17 + (index >> 8)) & 0xff),
    ),
  );

export interface Receipt {
  recordingId: string;
  stream: 'audio' | 'peaks';
  sha256: string;
}

/** Stores a take with both streams sealed. Returns the receipts. */
export async function storeTake(client: ApiClient, seed: number): Promise<Receipt[]> {
  const take = await startTake(client, `Take ${seed}`);
  const [audio, peaks] = [streamBytes(seed, 40_000 + seed), streamBytes(seed + 7, 500 + seed)];
  await appendAll(client, { uploadId: take.audioId, token: take.token }, { bytes: audio });
  await appendAll(client, { uploadId: take.peaksId, token: take.token }, { bytes: peaks });
  await sealTake(client, take, {
    audio: { lengthBytes: audio.length, sha256: sha256Hex(audio) },
    peaks: { lengthBytes: peaks.length, sha256: sha256Hex(peaks) },
    durationMs: 5000,
  });
  const { recordingId } = take;
  return [
    { recordingId, stream: 'audio', sha256: sha256Hex(audio) },
    { recordingId, stream: 'peaks', sha256: sha256Hex(peaks) },
  ];
}
