import { expect, test } from 'vitest';
import { ModelUploadServer, problem } from './model-upload-server.suite.ts';
import { StreamUpload } from './stream-upload.ts';
import { UploadAccess } from './upload-access.ts';

const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index & 255);

/**
 * The audio of a stopped take whose waits take no time; `conditions` is what it said of itself during each.
 */
function streamOf() {
  const server = new ModelUploadServer();
  const conditions: string[] = [];
  const deps = {
    fetch: server.fetch,
    nowMs: () => 0,
    random: () => 1,
    sleep: async () => {
      conditions.push(stream.condition);
      await new Promise((resolve) => setImmediate(resolve));
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
      sizeBytes: () => bytes.length,
      isSealed: () => true,
      read: async (offsetBytes, sizeBytes) => bytes.slice(offsetBytes, offsetBytes + sizeBytes),
      acknowledged: () => {},
    },
    access,
    deps,
  );
  access.attach({ token: 'token-1', expiresAt: '2030-01-01T00:00:00.000Z', appendIntervalMs: 500 });
  return { server, stream, conditions };
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
