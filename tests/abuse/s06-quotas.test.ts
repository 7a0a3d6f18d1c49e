import { expect, test } from 'vitest';
import { type ApiClient, startTake, newId, type OpenTake, sha256Hex } from '#tests/support/api-client.ts';
import { newUser, onEveryDatabase, readyAfterMs, statusOf } from './attack.ts';
import { soundBytes } from '#tests/support/sound-bytes.ts';

const mebibyte = 1024 * 1024;
const piece = soundBytes(mebibyte);
const usedBytes = async (client: ApiClient) =>
  ((await client.json('GET', '/api/storage')) as { usedBytes: number }).usedBytes;

/**
 * Appends one mebibyte at a time until a request is rejected. Returns its status and the number of accepted bytes.
 */
async function appendUntilRejected(
  client: ApiClient,
  take: Pick<OpenTake, 'audioId' | 'token'>,
  maxPieces: number,
): Promise<{ status: number; bytes: number }> {
  for (let pieces = 0; pieces < maxPieces; pieces += 1) {
    const { status } = await client.append({
      uploadId: take.audioId,
      token: take.token,
      offsetBytes: pieces * mebibyte,
      bytes: piece,
    });
    if (status !== 204) return { status, bytes: pieces * mebibyte };
  }
  return { status: 204, bytes: maxPieces * mebibyte };
}

onEveryDatabase((launch) => {
  test('S6: limits a take of arbitrary bytes to plausible audio, and counts it exactly, also after a crash', async () => {
    const server = await launch();
    const client = await newUser(server);
    const take = await startTake(client, 'Bytes', new Date());
    const { status, bytes } = await appendUntilRejected(client, take, 60);
    expect([status, bytes < 30 * mebibyte, bytes > 10 * mebibyte]).toEqual([413, true, true]);
    expect(await usedBytes(client)).toBe(bytes);
    await server.end('SIGKILL');
    await server.start();
    // When its device returns, the tail of an unsealed file may be cut to whole pages. Until then the size on disk
    // counts.
    expect(await usedBytes(client)).toBe(bytes);
    expect(await statusOf(client, { method: 'GET', path: '/api/recordings' })).toBe(200);
  });

  test('X4: stops a take that claims an earlier start at the quota', async () => {
    const server = await launch({ QUOTA_BYTES: String(8 * mebibyte) });
    const client = await newUser(server);
    expect(await appendUntilRejected(client, await startTake(client), 60)).toEqual({
      status: 413,
      bytes: 8 * mebibyte,
    });
  });

  test('X4: gives takes of the reserve only what can have been recorded since they were first seen', async () => {
    const server = await launch({ DISK_RESERVE_BYTES: String(Number.MAX_SAFE_INTEGER) });
    const client = await newUser(server);
    const { status, bytes } = await appendUntilRejected(client, await startTake(client), 60);
    expect([status, bytes >= mebibyte, bytes < 10 * mebibyte]).toEqual([507, true, true]);
  });

  test('S6: rejects an import while a running take has used up the quota', async () => {
    const server = await launch({ QUOTA_BYTES: String(3 * mebibyte) });
    const client = await newUser(server);
    await appendUntilRejected(client, await startTake(client), 3);
    const file = { name: 'a.wav', mediaType: 'audio/wav', sizeBytes: mebibyte, sha256: null };
    const registration = {
      title: 'File',
      startedAt: new Date().toISOString(),
      timeZone: 'UTC',
      source: 'import',
      file,
      format: { container: 'other', codec: 'unknown', sampleRateHz: 48_000, channels: 2 },
    };
    await expect(client.json('PUT', `/api/recordings/${newId()}`, { body: registration })).rejects.toThrow(
      /quota-exceeded/,
    );
  });

  test('S6: a restored recording accepts no byte more than it announced', async () => {
    const server = await launch({ QUOTA_BYTES: '1000000' });
    const client = await newUser(server);
    const [recordingId, uploadId] = [newId(), newId()];
    const file = {
      uploadId,
      stream: 'audio',
      index: 0,
      startMs: 0,
      container: 'ogg',
      sizeBytes: 1,
      sha256: sha256Hex(new Uint8Array(1)),
    };
    const now = new Date().toISOString();
    const {
      upload: { token },
    } = (await client.json('PUT', `/api/restores/recordings/${recordingId}`, {
      body: {
        title: 'Back',
        startedAt: now,
        createdAt: now,
        timeZone: 'UTC',
        source: 'microphone',
        language: null,
        file: null,
        deviceLabel: null,
        people: [],
        tags: [],
        position: null,
        format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
        files: [file],
      },
    })) as { upload: { token: string } };
    const open = (id: string, segmentIndex: number) =>
      client.json('PUT', `/api/uploads/${id}`, {
        token,
        body: { recordingId, stream: 'audio', segmentIndex, startMs: 0, epoch: 1 },
      });
    await open(uploadId, 0);
    expect(await appendUntilRejected(client, { audioId: uploadId, token }, 3)).toEqual({
      status: 413,
      bytes: 0,
    });
    const second = newId();
    await open(second, 1);
    expect(await appendUntilRejected(client, { audioId: second, token }, 3)).toEqual({
      status: 413,
      bytes: 0,
    });
    expect((await client.append({ uploadId, token, offsetBytes: 0, bytes: new Uint8Array(1) })).status).toBe(
      204,
    );
    expect(await usedBytes(client)).toBe(1);
  });

  test('S6: while the disk reserve is touched, an import is rejected and a take becomes ready', async () => {
    const server = await launch({ DISK_RESERVE_BYTES: String(Number.MAX_SAFE_INTEGER) });
    const client = await newUser(server);
    const bytes = new Uint8Array(1000);
    const file = { name: 'a.wav', mediaType: 'audio/wav', sizeBytes: bytes.length, sha256: sha256Hex(bytes) };
    const take = {
      title: 'A',
      startedAt: new Date().toISOString(),
      timeZone: 'UTC',
      format: { container: 'other', codec: 'unknown', sampleRateHz: 48_000, channels: 1 },
    };
    expect(
      await statusOf(client, {
        method: 'PUT',
        path: `/api/recordings/${newId()}`,
        body: { ...take, source: 'import', file },
      }),
    ).toBe(507);
    expect(await readyAfterMs(client)).toBeGreaterThan(0);
    expect(server.output.match(/the disk is nearly full/g)).toHaveLength(1);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('earshot_disk_reserve_touched 1');
  });

  test('S6: limits the number of a user’s simultaneous takes', async () => {
    const server = await launch();
    const client = await newUser(server);
    const register = () =>
      client.send({
        method: 'PUT',
        path: `/api/recordings/${newId()}`,
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'x-requested-with': 'earshot',
          cookie: client.cookie,
        },
        body: Buffer.from(
          JSON.stringify({
            title: 'T',
            startedAt: new Date().toISOString(),
            timeZone: 'UTC',
            source: 'microphone',
            format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
          }),
        ),
      });
    const statuses = (await Promise.all(Array.from({ length: 60 }, register))).map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([50, 10]);
  });
});
