import type { OpusHead } from '#audio/ogg/opus-headers.ts';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import type { FinishRecording } from '#contract/recordings.ts';
import { second } from '#base/duration.ts';
import {
  type ApiClient,
  appendAll,
  newId,
  type NewStream,
  openStream,
  type Registered,
  registerRecording,
  sha256Hex,
} from '#tests/support/api-client.ts';
import { oggOfPackets } from '#tests/support/ogg-of-packets.ts';
import { type Excerpt, packetMs } from './speech/read-speech.ts';

/** Uninterrupted audio, with its start on the recording's timeline. */
interface SampleSegment extends Excerpt {
  startMs: number;
}

/** A recording as a device would send it, with everything that a user would add later. */
export interface SampleRecording {
  title: string;
  startedAt: Date;
  head: OpusHead;
  segments: readonly SampleSegment[];
  gaps?: FinishRecording['gaps'];
  markers?: readonly { atMs: number; label: string }[];
  notes?: readonly { fromMs: number; toMs: number; text: string }[];
  details?: { language?: string; people?: readonly string[]; tagIds?: readonly string[] };
}

export const lengthMsOf = ({ packets }: Excerpt): number => packets.length * packetMs;

async function sendStream(
  client: ApiClient,
  registered: Registered,
  { bytes, ...stream }: NewStream & { bytes: Uint8Array },
): Promise<void> {
  const { token } = registered;
  const uploadId = await openStream(client, registered, stream);
  await appendAll(client, { uploadId, token }, { bytes });
  await client.json('POST', `/api/uploads/${uploadId}/complete`, {
    token,
    body: { lengthBytes: bytes.length, sha256: sha256Hex(bytes), epoch: 1 },
  });
}

const bytesOf = (points: Int8Array): Uint8Array =>
  new Uint8Array(points.buffer, points.byteOffset, points.byteLength);

async function annotate(
  client: ApiClient,
  recordingId: string,
  { markers = [], notes = [], details }: SampleRecording,
): Promise<void> {
  const path = `/api/recordings/${recordingId}`;
  for (const marker of markers)
    await client.json('POST', `${path}/markers`, { body: { id: newId(), ...marker } });
  for (const note of notes) await client.json('POST', `${path}/notes`, { body: { id: newId(), ...note } });
  if (details !== undefined) await client.json('PATCH', path, { body: details });
}

/**
 * Stores a recording for the client's signed-in user, with the same requests as a device and the app. Returns its
 * id.
 */
export async function storeSampleRecording(client: ApiClient, recording: SampleRecording): Promise<string> {
  const { head, segments, gaps = [] } = recording;
  const registered = await registerRecording(client, { ...recording, channels: head.channels });
  const { recordingId, token } = registered;
  for (const [segmentIndex, { startMs, packets, peaks }] of segments.entries()) {
    await sendStream(client, registered, {
      stream: 'audio',
      segmentIndex,
      startMs,
      bytes: oggOfPackets(packets, { head, vendor: 'earshot demo' }),
    });
    await sendStream(client, registered, {
      stream: 'peaks',
      segmentIndex,
      startMs,
      bytes: Buffer.concat(peaks.map(bytesOf)),
    });
  }
  const last = segments.at(-1);
  const durationMs =
    last === undefined
      ? 0
      : last.startMs + lengthMsOf(last) - Math.floor((head.preSkip * second) / opusGranuleRateHz);
  await client.json('POST', `/api/recordings/${recordingId}/finish`, {
    token,
    body: { durationMs, segmentCount: segments.length, gaps, pauses: [] },
  });
  await annotate(client, recordingId, recording);
  return recordingId;
}
