import { expect, onTestFinished, test } from 'vitest';
import {
  ApiClient,
  appendAll,
  startTake,
  newId,
  type OpenTake,
  type Reply,
  sealTake,
  sha256Hex,
} from '#tests/support/api-client.ts';
import { oggOfSilence, peaksOf } from '#tests/support/api-under-test.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { newUser, onEveryDatabase, stateOf } from './attack.ts';

const newPassword = 'seven lanterns over the weir 4';

interface Details {
  state: string;
  durationMs: number;
  segments: unknown[];
  gaps: unknown[];
  sha256: string | null;
  history: { kind: string; deviceLabel: string }[];
}
interface Bearer {
  token: string;
}

const details = async (client: ApiClient, id: string) =>
  (await client.json('GET', `/api/recordings/${id}`)) as Details;

/** Sends a request with a bearer token and returns the response, whatever its status. */
function asBearer(
  client: ApiClient,
  { token }: Bearer,
  call: { method: string; path: string; body?: unknown },
): Promise<Reply> {
  const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body));
  return client.send({
    method: call.method,
    path: call.path,
    body,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
  });
}

/** A take of some seconds, uploaded and finished. */
async function testimony(client: ApiClient, { title = 'Testimony' } = {}): Promise<OpenTake> {
  const take = await startTake(client, title);
  await sendAll(client, take);
  await expect.poll(() => stateOf(client, take.recordingId), { timeout: 30_000 }).toBe('ready');
  return take;
}

async function sendAll(client: ApiClient, take: OpenTake): Promise<void> {
  const [audio, peaks] = [oggOfSilence(5), peaksOf(5)];
  await appendAll(client, { uploadId: take.audioId, token: take.token }, { bytes: audio });
  await appendAll(client, { uploadId: take.peaksId, token: take.token }, { bytes: peaks });
  const sealed = (bytes: Uint8Array) => ({ lengthBytes: bytes.length, sha256: sha256Hex(bytes) });
  await sealTake(client, take, { audio: sealed(audio), peaks: sealed(peaks), durationMs: 5000 });
}

const takeBody = {
  title: 'Testimony',
  startedAt: new Date(0).toISOString(),
  timeZone: 'UTC',
  source: 'microphone',
  format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
};
const register = async (client: ApiClient, id: string) =>
  (await client.json('PUT', `/api/recordings/${id}`, { body: takeBody })) as {
    upload: Bearer | null;
    receipts: { uploadId: string; lengthBytes: number; sha256: string }[];
  };
const reopen = async (client: ApiClient, id: string) =>
  (await client.json('POST', `/api/recordings/${id}/reopen`)) as { upload: Bearer };

/** A client with a copy of a browser’s cookie. */
function copyOf(server: EarshotServer, client: ApiClient): ApiClient {
  const copy = new ApiClient(server.url);
  onTestFinished(() => copy.close());
  copy.cookie = client.cookie;
  return copy;
}

/** The same user on another device. */
async function anotherDevice(server: EarshotServer, client: ApiClient, password: string): Promise<ApiClient> {
  const {
    user: { email },
  } = (await client.json('GET', '/auth/session')) as { user: { email: string } };
  const other = new ApiClient(server.url);
  onTestFinished(() => other.close());
  await other.json('POST', '/auth/login', { body: { email, password } });
  return other;
}

const password = 'a quiet harbour at dusk 7';
const append = (client: ApiClient, take: Pick<OpenTake, 'audioId' | 'token'>, offsetBytes = 0) =>
  client.append({ uploadId: take.audioId, token: take.token, offsetBytes, bytes: oggOfSilence(1) });

onEveryDatabase((launch) => {
  test('S5: an old capability cannot change a finished recording, and no new one is issued', async () => {
    const server = await launch();
    const owner = await newUser(server);
    const take = await testimony(owner);
    const before = await details(owner, take.recordingId);
    const thief = await anotherDevice(server, owner, password);
    const registered = await register(thief, take.recordingId);
    expect(registered.upload).toBeNull();
    expect(registered.receipts.map(({ uploadId }) => uploadId).toSorted()).toEqual(
      [take.audioId, take.peaksId].toSorted(),
    );
    const path = `/api/recordings/${take.recordingId}`;
    const answers = [
      await asBearer(owner, take, { method: 'POST', path: `${path}/reopen` }),
      await asBearer(owner, take, {
        method: 'PUT',
        path: `/api/uploads/${newId()}`,
        body: { recordingId: take.recordingId, stream: 'audio', segmentIndex: 1, startMs: 20_000, epoch: 1 },
      }),
      await append(owner, take, 0),
      await asBearer(owner, take, {
        method: 'PUT',
        path: `${path}/gaps`,
        body: { gaps: [{ atMs: 2000, durationMs: 10_000, cause: 'microphone-lost' }] },
      }),
      await asBearer(owner, take, {
        method: 'POST',
        path: `${path}/markers`,
        body: { id: newId(), atMs: 1, label: 'never said' },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 409, 409, 409, 409]);
    expect(await details(owner, take.recordingId)).toEqual(before);
  });

  test('S5: a bearer gets offsets and receipts, never titles, names or the trash', async () => {
    const server = await launch();
    const owner = await newUser(server);
    const take = await testimony(owner);
    const path = `/api/recordings/${take.recordingId}`;
    await owner.json('PATCH', path, { body: { title: 'Secret title', people: ['Secret person'] } });
    await owner.json('DELETE', path);
    const finished = await asBearer(owner, take, {
      method: 'POST',
      path: `${path}/finish`,
      body: { durationMs: 1, segmentCount: 1, gaps: [], pauses: [] },
    });
    expect(JSON.parse(finished.body.toString())).toEqual({ id: take.recordingId, durationMs: 4994 });
    const created = await asBearer(owner, take, {
      method: 'PUT',
      path: `/api/uploads/${take.audioId}`,
      body: { recordingId: take.recordingId, stream: 'audio', segmentIndex: 0, startMs: 0, epoch: 1 },
    });
    expect(Object.keys(JSON.parse(created.body.toString()) as object).toSorted()).toEqual([
      'complete',
      'epoch',
      'offset',
    ]);
    for (const read of ['', '/audio', '/peaks', '/markers'])
      expect((await asBearer(owner, take, { method: 'GET', path: `${path}${read}` })).status).toBe(401);
  });

  test('S5: reopening revokes every older capability, and the owner sees the changes', async () => {
    const server = await launch();
    const owner = await newUser(server);
    const take = await testimony(owner);
    const { upload } = await reopen(owner, take.recordingId);
    const segment = {
      method: 'PUT',
      path: `/api/uploads/${newId()}`,
      body: { recordingId: take.recordingId, stream: 'audio', segmentIndex: 1, startMs: 20_000, epoch: 1 },
    };
    expect((await asBearer(owner, take, segment)).status).toBe(401);
    expect((await asBearer(owner, upload, segment)).status).toBe(201);
    expect((await details(owner, take.recordingId)).history.map(({ kind }) => kind)).toEqual([
      'reopened',
      'segment-added',
    ]);
  });

  test('S5: a password change revokes other devices’ capabilities, except of a running take left to finish', async () => {
    const server = await launch();
    const owner = await newUser(server);
    const other = await anotherDevice(server, owner, password);
    const [own, stolen, left] = [await startTake(owner), await startTake(other), await startTake(other)];
    const { takes } = (await owner.json('GET', '/auth/sessions')) as {
      takes: { sessionId: string; recordingId: string }[];
    };
    expect(takes.map(({ recordingId }) => recordingId).toSorted()).toEqual(
      [stolen.recordingId, left.recordingId].toSorted(),
    );
    await owner.json('POST', '/auth/password', { body: { currentPassword: password, newPassword } });
    await expect.poll(async () => (await append(other, stolen)).status, { timeout: 5000 }).toBe(401);
    // The page that records asks for another one with its new cookie.
    await expect.poll(async () => (await append(owner, own)).status, { timeout: 5000 }).toBe(401);
    const renewed = await register(owner, own.recordingId);
    expect((await append(owner, { ...own, token: renewed.upload?.token ?? '' })).status).toBe(204);

    const third = await anotherDevice(server, owner, newPassword);
    const running = await startTake(third);
    const done = await startTake(third);
    await sendAll(third, done);
    const {
      takes: [device],
    } = (await owner.json('GET', '/auth/sessions')) as { takes: { sessionId: string }[] };
    await owner.json('POST', '/auth/password', {
      body: { currentPassword: newPassword, newPassword: password, finishTakesOf: [device?.sessionId] },
    });
    await sendAll(third, running);
    await expect.poll(() => stateOf(owner, running.recordingId), { timeout: 30_000 }).toBe('ready');
    const afterwards = await asBearer(third, done, { method: 'HEAD', path: `/api/uploads/${done.audioId}` });
    expect(afterwards.status).toBe(401);
  });

  test('S5: signing out one or all other devices, or deleting the account, revokes their capabilities', async () => {
    const server = await launch();
    const owner = await newUser(server);
    const [one, two] = [
      await anotherDevice(server, owner, password),
      await anotherDevice(server, owner, password),
    ];
    const [first, second, retained] = [await startTake(one), await startTake(two), await startTake(owner)];
    const { takes } = (await owner.json('GET', '/auth/sessions')) as {
      takes: { sessionId: string; recordingId: string }[];
    };
    await owner.json(
      'DELETE',
      `/auth/sessions/${takes.find(({ recordingId }) => recordingId === first.recordingId)?.sessionId}`,
    );
    await expect.poll(async () => (await append(one, first)).status, { timeout: 5000 }).toBe(401);
    await owner.json('DELETE', '/auth/sessions');
    await expect.poll(async () => (await append(two, second)).status, { timeout: 5000 }).toBe(401);
    expect((await append(owner, retained)).status).toBe(204);
    await owner.json('DELETE', '/auth/account');
    await expect
      .poll(async () => (await append(owner, retained, oggOfSilence(1).length)).status, { timeout: 5000 })
      .toBe(401);
  });

  test('S5: what a copied cookie requested ends with the next proof, password, sign-out or sign-in', async () => {
    const server = await launch();
    for (const end of [
      (owner: ApiClient) =>
        owner.json('POST', '/auth/reauthenticate', { body: { method: 'password', password } }),
      (owner: ApiClient) =>
        owner.json('POST', '/auth/password', {
          body: { currentPassword: password, newPassword, keepOtherSessions: true },
        }),
      (owner: ApiClient) => owner.json('POST', '/auth/logout'),
      async (owner: ApiClient) => {
        const { user } = (await owner.json('GET', '/auth/session')) as { user: { email: string } };
        await owner.json('POST', '/auth/login', { body: { email: user.email, password } });
      },
    ]) {
      const owner = await newUser(server);
      const [finished, running] = [await testimony(owner), await startTake(owner)];
      const thief = copyOf(server, owner);
      const { upload: reopened } = await reopen(thief, finished.recordingId);
      const { upload: taken } = await register(thief, running.recordingId);
      await end(owner);
      const statuses = async () => [
        (await append(owner, { ...running, token: taken?.token ?? '' })).status,
        (await asBearer(owner, reopened, { method: 'HEAD', path: `/api/uploads/${finished.audioId}` }))
          .status,
        (await thief.send({ method: 'GET', path: '/api/recordings' })).status,
      ];
      await expect.poll(statuses, { timeout: 5000 }).toEqual([401, 401, 401]);
    }
  });

  test('S5: a take continues with a new capability once its owner has signed in again', async () => {
    const server = await launch();
    const owner = await newUser(server);
    const { user } = (await owner.json('GET', '/auth/session')) as { user: { email: string } };
    const take = await startTake(owner);
    expect((await append(owner, take)).status).toBe(204);
    await owner.json('POST', '/auth/logout');
    const next = () => append(owner, take, oggOfSilence(1).length);
    await expect.poll(async () => (await next()).status, { timeout: 5000 }).toBe(401);
    await owner.json('POST', '/auth/login', { body: { email: user.email, password } });
    const { upload } = await register(owner, take.recordingId);
    const renewed = { ...take, token: upload?.token ?? '' };
    expect((await append(owner, renewed, oggOfSilence(1).length)).status).toBe(204);
  });

  test('S5: a reopened recording is never among the takes that may still be finished', async () => {
    const server = await launch();
    const owner = await newUser(server);
    const other = await anotherDevice(server, owner, password);
    const take = await testimony(other);
    const { upload } = await reopen(other, take.recordingId);
    const sessions = (await owner.json('GET', '/auth/sessions')) as {
      items: { id: string; isCurrent: boolean }[];
    };
    const finishTakesOf = sessions.items.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id);
    await owner.json('POST', '/auth/password', {
      body: { currentPassword: password, newPassword, finishTakesOf },
    });
    const head = { method: 'HEAD', path: `/api/uploads/${take.audioId}` };
    await expect.poll(async () => (await asBearer(other, upload, head)).status, { timeout: 5000 }).toBe(401);
  });

  test('S5: a capability requested while its session is being revoked does not outlive the session', async () => {
    const server = await launch();
    const owner = await newUser(server);
    const thief = await anotherDevice(server, owner, password);
    const take = await startTake(owner);
    const asked = Array.from({ length: 12 }, () => register(thief, take.recordingId).catch(() => null));
    await owner.json('DELETE', '/auth/sessions');
    const issued = (await Promise.all(asked)).flatMap((answer) => (answer?.upload ? [answer.upload] : []));
    await expect
      .poll(
        async () => {
          const answers = await Promise.all(
            issued.map((bearer) =>
              asBearer(owner, bearer, { method: 'HEAD', path: `/api/uploads/${take.audioId}` }),
            ),
          );
          return answers.filter(({ status }) => status !== 401).length;
        },
        { timeout: 5000 },
      )
      .toBe(0);
  });
});
