import { expect, test } from 'vitest';
import { ModelUploadServer, problem } from './model-upload-server.suite.ts';
import { StreamUpload } from './stream-upload.ts';
import { UploadAccess } from './upload-access.ts';

const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index & 255);

/**
 * The audio of a take, stopped or not, with a clock that only advances while the stream waits. `conditions` has
 * its condition during each wait, `readAtMs` the time of each read for an append.
 */
function streamOf({
  kind = 'audio',
  isSealed = true,
  sizeBytes = bytes.length,
  intervals = { appendIntervalMs: 500 },
  server = new ModelUploadServer(),
  content = bytes,
  waits = Infinity,
}: {
  kind?: 'audio' | 'peaks';
  isSealed?: boolean;
  sizeBytes?: number;
  intervals?: { appendIntervalMs: number; peaksIntervalMs?: number };
  server?: ModelUploadServer;
  content?: Uint8Array<ArrayBuffer>;
  /** How often the stream may wait. */
  waits?: number;
} = {}) {
  const conditions: string[] = [];
  const readAtMs: number[] = [];
  const state = { isSealed, sizeBytes, nowMs: 0 };
  const deps = {
    fetch: server.fetch,
    nowMs: () => state.nowMs,
    random: () => 1,
    sleep: async (delayMs: number) => {
      if (conditions.length === waits) throw new Error('enough');
      conditions.push(stream.condition);
      await new Promise((resolve) => setImmediate(resolve));
      state.nowMs += delayMs;
    },
  };
  const access = new UploadAccess(deps, () => {});
  const stream: StreamUpload = new StreamUpload(
    {
      uploadId: '0190f000-0000-7000-8000-00000000000a',
      creation: {
        recordingId: '0190f000-0000-7000-8000-000000000001',
        stream: kind,
        segmentIndex: 0,
        startMs: 0,
        epoch: 1,
      },
      sizeBytes: () => state.sizeBytes,
      isSealed: () => state.isSealed,
      read: async (offsetBytes, wantedBytes) => {
        readAtMs.push(state.nowMs);
        return content.slice(offsetBytes, offsetBytes + wantedBytes);
      },
      acknowledged: () => {},
    },
    access,
    deps,
  );
  access.attach({ token: 'token-1', expiresAt: '2030-01-01T00:00:00.000Z', ...intervals });
  return { server, stream, conditions, readAtMs, state };
}

function failAppends(server: ModelUploadServer, times: number, answer: () => Response): void {
  let left = times;
  server.fate = (call) => {
    if (call.method !== 'PATCH' || left === 0) return 'answered';
    left -= 1;
    return answer();
  };
}

test('distinguishes a full server from an unreachable one, and uploads everything once it has space', async () => {
  const { server, stream, conditions } = streamOf();
  failAppends(server, 3, () => problem(507, 'storage-full', { 'retry-after': '3' }));
  await stream.run();
  expect(conditions).toEqual(['server-full', 'server-full', 'server-full']);
  expect(Buffer.from(server.stored('audio')?.bytes ?? []).equals(bytes)).toBe(true);
  expect(stream.condition).toBe('idle');
});

test('distinguishes the storage limit of the owner from a full server, and uploads everything below it', async () => {
  const { server, stream, conditions } = streamOf();
  failAppends(server, 2, () => problem(413, 'quota-exceeded'));
  await stream.run();
  expect(conditions).toEqual(['over-quota', 'over-quota']);
  expect(Buffer.from(server.stored('audio')?.bytes ?? []).equals(bytes)).toBe(true);
});

test('names the reason when the server reads no audio in the bytes', async () => {
  const { server, stream, conditions } = streamOf();
  failAppends(server, 1, () => problem(422, 'unreadable-audio'));
  await stream.run();
  expect(conditions).toEqual(['not-audio']);
});

test('does not report other server errors as a full server', async () => {
  const { server, stream, conditions } = streamOf();
  failAppends(server, 1, () => problem(503, 'unavailable'));
  await stream.run();
  expect(conditions).toEqual(['server-trouble']);
});

test.each([
  ['audio', { appendIntervalMs: 500, peaksIntervalMs: 2500 }, 500],
  ['peaks', { appendIntervalMs: 500, peaksIntervalMs: 2500 }, 2500],
  ['peaks', { appendIntervalMs: 500 }, 500],
] as const)(
  'starts one append of %s per announced interval %j while recording, and sends the rest immediately on Stop',
  async (kind, intervals, intervalMs) => {
    const { server, stream, readAtMs, state } = streamOf({
      kind,
      isSealed: false,
      sizeBytes: 1000,
      intervals,
    });
    // More is recorded during an append, so the new bytes wait for the interval.
    server.fate = ({ method }) => {
      if (method === 'PATCH') state.sizeBytes = Math.min(bytes.length, state.sizeBytes + 400);
      state.isSealed ||= state.sizeBytes === bytes.length;
      return 'answered';
    };
    await stream.run();
    expect(Buffer.from(server.stored(kind)?.bytes ?? []).equals(bytes)).toBe(true);
    const distances = readAtMs.slice(1, -1).map((atMs, index) => atMs - (readAtMs[index] ?? 0));
    expect(distances.length).toBeGreaterThan(3);
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(intervalMs);
    expect(Math.max(...distances)).toBeLessThan(intervalMs + 500);
  },
);

test('completes a file that was damaged behind the bytes that the server has sealed', async () => {
  const before = streamOf({ sizeBytes: 4000 });
  await before.stream.run();
  const { server, stream, state } = streamOf({ server: before.server });
  await stream.run();
  expect(server.stored('audio')?.bytes.length).toBe(4000);
  expect([stream.condition, stream.offsetBytes, state.sizeBytes]).toEqual(['idle', 4000, bytes.length]);
});

test('does not complete a longer file that starts with other bytes than the server has sealed', async () => {
  const before = streamOf({ sizeBytes: 4000 });
  await before.stream.run();
  const other = Uint8Array.from(bytes, (byte) => 255 - byte);
  const { stream, conditions } = streamOf({ server: before.server, content: other, waits: 5 });
  await expect(stream.run()).rejects.toThrow('enough');
  expect(conditions).toHaveLength(5);
  expect(stream.condition).not.toBe('idle');
});
