import { newId } from '#device/new-id.ts';
import type { Gap } from '#contract/recordings.ts';
import { oggOfPackets } from './ogg-of-packets.ts';
import { appHeaders, digestField, sendRaw, sha256Hex, type RawCall } from './raw-http.ts';

interface StoredSegment {
  startMs: number;
  durationMs: number;
}

export interface GappedRecording {
  segments: readonly StoredSegment[];
  gaps: readonly Gap[];
  durationMs: number;
  /** The waveform's values at a moment, -127 to 127. A constant line by default. */
  peakAt?: (atMs: number) => { lowest: number; highest: number };
}

const json = { ...appHeaders, 'content-type': 'application/json' };

/** A complete Ogg/Opus file of silence in 20 ms packets. */
function silenceOf(durationMs: number, serialNumber: number): Buffer {
  const packets = Array.from({ length: Math.floor(durationMs / 20) + 1 }, () =>
    Uint8Array.of(0xf8, 0xff, 0xfe),
  );
  return oggOfPackets(packets, { serialNumber, samples: durationMs * 48 });
}

function peaksOf(
  { startMs, durationMs }: StoredSegment,
  peakAt: NonNullable<GappedRecording['peakAt']>,
): Buffer {
  const points = Array.from({ length: durationMs / 10 }, (_, point) => peakAt(startMs + point * 10));
  return Buffer.from(Int8Array.from(points.flatMap(({ lowest, highest }) => [lowest, highest])).buffer);
}

/**
 * Stores a recording of several segments with gaps, as a device would, for the cookie's user. Returns the
 * recording's id.
 */
export async function uploadGappedRecording(
  url: string,
  cookie: string,
  { segments, gaps, durationMs, peakAt = () => ({ lowest: 60, highest: 60 }) }: GappedRecording,
): Promise<string> {
  const sendOrThrow = async (call: RawCall) => {
    const reply = await sendRaw(url, call);
    if (reply.status >= 300) throw new Error(`${call.method} ${call.path}: ${reply.status} ${reply.text}`);
    return reply.text;
  };
  const id = newId();
  const registered = await sendOrThrow({
    method: 'PUT',
    path: `/api/recordings/${id}`,
    headers: { ...json, cookie },
    body: JSON.stringify({
      title: 'With gaps',
      startedAt: new Date().toISOString(),
      timeZone: 'UTC',
      source: 'microphone',
      format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
    }),
  });
  const { upload }: { upload: { token: string } } = JSON.parse(registered);
  const bearer = { authorization: `Bearer ${upload.token}` };
  const send = async (
    stream: 'audio' | 'peaks',
    segmentIndex: number,
    { startMs, bytes }: { startMs: number; bytes: Buffer },
  ) => {
    const path = `/api/uploads/${newId()}`;
    await sendOrThrow({
      method: 'PUT',
      path,
      headers: { ...json, ...bearer },
      body: JSON.stringify({ recordingId: id, stream, segmentIndex, startMs, epoch: 1 }),
    });
    await sendOrThrow({
      method: 'PATCH',
      path,
      headers: {
        ...bearer,
        'content-type': 'application/partial-upload',
        'upload-offset': '0',
        'upload-epoch': '1',
        'content-digest': digestField(bytes),
      },
      body: bytes,
    });
    await sendOrThrow({
      method: 'POST',
      path: `${path}/complete`,
      headers: { ...json, ...bearer },
      body: JSON.stringify({ lengthBytes: bytes.length, sha256: sha256Hex(bytes), epoch: 1 }),
    });
  };
  for (const [index, segment] of segments.entries()) {
    await send('audio', index, { startMs: segment.startMs, bytes: silenceOf(segment.durationMs, index + 1) });
    await send('peaks', index, { startMs: segment.startMs, bytes: peaksOf(segment, peakAt) });
  }
  await sendOrThrow({
    method: 'POST',
    path: `/api/recordings/${id}/finish`,
    headers: { ...json, ...bearer },
    body: JSON.stringify({ durationMs, segmentCount: segments.length, gaps, pauses: [] }),
  });
  return id;
}
