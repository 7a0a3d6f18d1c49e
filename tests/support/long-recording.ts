import { newId } from '#device/new-id.ts';
import { oggOfPackets } from './ogg-of-packets.ts';
import { appHeaders, digestField, sendRaw, sha256Hex, type RawCall } from './raw-http.ts';

const pieceBytes = 1024 * 1024;

export interface LongRecording {
  minutes: number;
  /**
   * Uses packets as small as silence's and peaks that rise and fall, so that half a day uploads quickly and has a
   * visible waveform.
   */
  isThin?: boolean;
}

/** A packet as large as one of speech at 128 kbit/s: RFC 6716 §3.2.5, code 3 with padding. */
function widePacket(): Uint8Array {
  const padding = 254;
  const packet = new Uint8Array(4 + 60 + padding);
  packet.set([0xfb, 0x41, 255, padding - 194]);
  return packet;
}

function longSilence({ minutes, isThin }: LongRecording): Buffer {
  const packet = isThin ? Uint8Array.of(0xf8, 0xff, 0xfe) : widePacket();
  return oggOfPackets(
    Array.from({ length: minutes * 60 * 50 }, () => packet),
    { samples: minutes * 60 * 48_000 - 312 },
  );
}

function longPeaks({ minutes, isThin }: LongRecording): Buffer {
  const peaks = Buffer.alloc(minutes * 60 * 200);
  for (let point = 0; isThin && point < peaks.length / 2; point += 1) {
    const loud = Math.round((60 * (1 + Math.sin(point / 40)) * (1 + Math.sin(point / 90_000))) / 2);
    peaks.writeInt8(-loud, point * 2);
    peaks.writeInt8(loud, point * 2 + 1);
  }
  return peaks;
}

export interface StoredTake {
  title: string;
  audio: Uint8Array;
  peaks: Uint8Array;
  durationMs: number;
}

/**
 * The longest take that can be stored with the present as its start. The server limits a take's uploads by the
 * time since its start.
 */
const maxFromNowMs = 5 * 60_000;
const startOf = (durationMs: number): Date =>
  new Date(Date.now() - (durationMs > maxFromNowMs ? durationMs : 0));

/** Stores a take of one segment as a device would, for the cookie's user. Returns the recording's id. */
export async function storeTake(
  url: string,
  cookie: string,
  { title, audio, peaks, durationMs }: StoredTake,
): Promise<string> {
  const sendOrThrow = async (call: RawCall) => {
    const reply = await sendRaw(url, call);
    if (reply.status >= 300) throw new Error(`${call.method} ${call.path}: ${reply.status} ${reply.text}`);
    return reply.text;
  };
  const json = { ...appHeaders, 'content-type': 'application/json' };
  const id = newId();
  const registered = await sendOrThrow({
    method: 'PUT',
    path: `/api/recordings/${id}`,
    headers: { ...json, cookie },
    body: JSON.stringify({
      title,
      startedAt: startOf(durationMs).toISOString(),
      timeZone: 'UTC',
      source: 'microphone',
      format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
    }),
  });
  const { upload }: { upload: { token: string } } = JSON.parse(registered);
  const bearer = { authorization: `Bearer ${upload.token}` };
  for (const [stream, bytes] of [
    ['audio', audio],
    ['peaks', peaks],
  ] as const) {
    const uploadId = newId();
    const path = `/api/uploads/${uploadId}`;
    await sendOrThrow({
      method: 'PUT',
      path,
      headers: { ...json, ...bearer },
      body: JSON.stringify({ recordingId: id, stream, segmentIndex: 0, startMs: 0, epoch: 1 }),
    });
    for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
      const piece = Buffer.from(bytes.subarray(offset, offset + pieceBytes));
      await sendOrThrow({
        method: 'PATCH',
        path,
        headers: {
          ...bearer,
          'content-type': 'application/partial-upload',
          'upload-offset': String(offset),
          'upload-epoch': '1',
          'content-digest': digestField(piece),
        },
        body: piece,
      });
    }
    await sendOrThrow({
      method: 'POST',
      path: `${path}/complete`,
      headers: { ...json, ...bearer },
      body: JSON.stringify({ lengthBytes: bytes.length, sha256: sha256Hex(bytes), epoch: 1 }),
    });
  }
  await sendOrThrow({
    method: 'POST',
    path: `/api/recordings/${id}/finish`,
    headers: { ...json, ...bearer },
    body: JSON.stringify({ durationMs, segmentCount: 1, gaps: [], pauses: [] }),
  });
  return id;
}

/** Stores a recording longer than any browser buffers, for the cookie's user. Returns the recording's id. */
export const uploadLongRecording = (
  url: string,
  cookie: string,
  length: LongRecording = { minutes: 20 },
): Promise<string> =>
  storeTake(url, cookie, {
    title: 'A long silence',
    audio: longSilence(length),
    peaks: longPeaks(length),
    durationMs: length.minutes * 60 * 1000,
  });
