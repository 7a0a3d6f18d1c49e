import { expect, test } from 'vitest';
import { ModelUploadServer, problem } from './model-upload-server.suite.ts';
import { StreamUpload } from './stream-upload.ts';
import { UploadAccess } from './upload-access.ts';

const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index & 255);

/**
 * The audio of a take, stopped or not, on a clock that moves only while the stream waits. `conditions` is what it said of
 * itself during each wait, `readAtMs` when it began to read for an append.
 */
function streamOf({ isSealed = true, sizeBytes = bytes.length, appendIntervalMs = 500 } = {}) {
  const server = new ModelUploadServer();
  const conditions: string[] = [];
  const readAtMs: number[] = [];
  const state = { isSealed, sizeBytes, nowMs: 0 };
  const deps = {
    fetch: server.fetch,
    nowMs: () => state.nowMs,
    random: () => 1,
    sleep: async (delayMs: number) => {
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
        stream: 'audio',
        segmentIndex: 0,
        startMs: 0,
        epoch: 1,
      },
      sizeBytes: () => state.sizeBytes,
      isSealed: () => state.isSealed,
      read: async (offsetBytes, wantedBytes) => {
        readAtMs.push(state.nowMs);
        return bytes.slice(offsetBytes, offsetBytes + wantedBytes);
      },
      acknowledged: () => {},
    },
    access,
    deps,
  );
  access.attach({ token: 'token-1', expiresAt: '2030-01-01T00:00:00.000Z', appendIntervalMs });
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

test('a full server is told from one that does not answer; once it has room again everything arrives', async () => {
  const { server, stream, conditions } = streamOf();
  failAppends(server, 3, () => problem(507, 'storage-full', { 'retry-after': '3' }));
  await stream.run();
  expect(conditions).toEqual(['server-full', 'server-full', 'server-full']);
  expect(Buffer.from(server.stored('audio')?.bytes ?? []).equals(bytes)).toBe(true);
  expect(stream.condition).toBe('idle');
});

test('a server in another kind of trouble is not called full', async () => {
  const { server, stream, conditions } = streamOf();
  failAppends(server, 1, () => problem(503, 'unavailable'));
  await stream.run();
  expect(conditions).toEqual(['server-trouble']);
});

test('while recording, appends begin once per interval, and what is left goes at once when the take stops', async () => {
  const { server, stream, readAtMs, state } = streamOf({ isSealed: false, sizeBytes: 1000 });
  // More is recorded while an append is on its way: what waits then has to wait for the interval.
  server.fate = ({ method }) => {
    if (method === 'PATCH') state.sizeBytes = Math.min(bytes.length, state.sizeBytes + 400);
    state.isSealed ||= state.sizeBytes === bytes.length;
    return 'answered';
  };
  await stream.run();
  expect(Buffer.from(server.stored('audio')?.bytes ?? []).equals(bytes)).toBe(true);
  const distances = readAtMs.slice(1, -1).map((atMs, index) => atMs - (readAtMs[index] ?? 0));
  expect(distances.length).toBeGreaterThan(3);
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(500);
});
