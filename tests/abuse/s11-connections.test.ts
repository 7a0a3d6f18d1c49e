import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ApiClient, startTake, newId } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { launchServer, newUser } from './attack.ts';

async function launchLimited(fileLimit: number): Promise<EarshotServer> {
  const server = await EarshotServer.launch({}, undefined, { fileLimit });
  onTestFinished(() => server.dispose());
  return server;
}

/** Opens a connection, sends the text, and collects the response. */
function openSocket(
  server: EarshotServer,
  text: string,
  localAddress = '127.0.0.1',
): { socket: Socket; received: () => string; closed: Promise<void> } {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', localAddress });
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
  socket.write(text);
  onTestFinished(() => {
    socket.destroy();
  });
  return { socket, received: () => received, closed };
}

const halfLogin =
  'POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 1000\r\n\r\n{';

test('S11: held connections leave file descriptors for takes on existing connections', async () => {
  const server = await launchLimited(300);
  expect(server.output).toContain('limit on open files is low');
  const user = await newUser(server);
  // From so many addresses that none exceeds its own limit.
  const held = Array.from({ length: 400 }, (_, index) =>
    openSocket(server, halfLogin, `127.0.0.${10 + (index % 20)}`),
  );
  // Rejected connections are closed without a response; the others wait for their bodies.
  await expect.poll(() => server.output, { timeout: 30_000 }).toContain('connections are refused');
  for (let count = 0; count < 10; count += 1) {
    const take = await startTake(user);
    const answer = await user.append({
      uploadId: take.audioId,
      token: take.token,
      offsetBytes: 0,
      bytes: Buffer.from('bytes'),
    });
    expect([answer.status, answer.body.toString()]).toEqual([204, '']);
  }
  for (const { socket } of held) socket.destroy();
  await expect
    .poll(async () => await newUser(server).then(() => 'served', String), { timeout: 30_000 })
    .toBe('served');
  expect(server.isRunning).toBe(true);
});

test('S11: without a free file descriptor, returns 503 with Retry-After; the take resumes once one is free', async ({
  skip,
}) => {
  if (process.platform !== 'linux') skip('prlimit and /proc are Linux’s');
  const server = await launchServer();
  const user = await newUser(server);
  const take = await startTake(user);
  const limit = (soft: string) => execFileSync('prlimit', [`--pid=${server.pid}`, `--nofile=${soft}:`]);
  const softBefore =
    /Max open files\s+(\d+)/.exec(execFileSync('cat', [`/proc/${server.pid}/limits`]).toString())?.[1] ?? '';
  const openNumbers = readdirSync(`/proc/${server.pid}/fd`).map(Number);
  limit(String(Math.max(...openNumbers) + 1));
  // Free descriptor numbers in between are used first: connections occupy them, and segments that still find one.
  const sockets = Array.from({ length: Math.max(...openNumbers) + 20 - openNumbers.length }, () =>
    openSocket(server, halfLogin),
  );
  let segmentIndex = 0;
  const create = () =>
    user.send({
      method: 'PUT',
      path: `/api/uploads/${newId()}`,
      headers: { authorization: `Bearer ${take.token}`, 'content-type': 'application/json' },
      body: Buffer.from(
        JSON.stringify({
          recordingId: take.recordingId,
          stream: 'audio',
          segmentIndex: (segmentIndex += 1),
          startMs: 0,
          epoch: 1,
        }),
      ),
    });
  let rejected: Awaited<ReturnType<typeof create>> | undefined;
  await expect
    .poll(
      async () => {
        // A descriptor that the server has freed in the meantime is occupied too. The system closes connections
        // that find none.
        sockets.push(openSocket(server, halfLogin));
        rejected = await create();
        return rejected.status;
      },
      { timeout: 20_000 },
    )
    .toBe(503);
  expect([rejected?.headers['retry-after'], JSON.parse(rejected?.body.toString() ?? '')]).toEqual([
    '2',
    expect.objectContaining({ code: 'overloaded', retryAfter: 2 }),
  ]);
  limit(softBefore);
  for (const { socket } of sockets) socket.destroy();
  expect(
    (
      await user.append({
        uploadId: take.audioId,
        token: take.token,
        offsetBytes: 0,
        bytes: Buffer.from('bytes'),
      })
    ).status,
  ).toBe(204);
});

test('S11: an address may hold only its share of the connections, and other addresses still connect', async () => {
  const server = await launchServer({ CONNECTIONS_PER_ADDRESS: '30' });
  const [user, neighbour] = [await newUser(server), await newUser(server)];
  const take = await startTake(neighbour);
  const held = Array.from({ length: 100 }, () => openSocket(server, halfLogin, '127.0.0.2'));
  const ended = new Set<object>();
  for (const socket of held) void socket.closed.then(() => ended.add(socket));
  await expect.poll(() => ended.size, { timeout: 20_000 }).toBe(70);
  // Closed without a response, as when the whole server is full.
  expect(new Set(held.filter((socket) => ended.has(socket)).map(({ received }) => received()))).toEqual(
    new Set(['']),
  );
  expect(server.output).toContain('one address is at its limit');
  expect(server.output.match(/one address is at its limit/g)).toHaveLength(1);
  expect(
    (
      await neighbour.append({
        uploadId: take.audioId,
        token: take.token,
        offsetBytes: 0,
        bytes: Buffer.from('bytes'),
      })
    ).status,
  ).toBe(204);
  const another = openSocket(
    server,
    `GET /auth/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: ${user.cookie}\r\n\r\n`,
    '127.0.0.3',
  );
  await another.closed;
  expect(another.received()).toMatch(/^HTTP\/1\.1 200 /);
  // Every connection that ends makes space for another.
  for (const { socket } of held) socket.destroy();
  await expect
    .poll(
      async () => {
        const retried = openSocket(
          server,
          'GET /auth/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
          '127.0.0.2',
        );
        await retried.closed;
        return retried.received().slice(0, 12);
      },
      { timeout: 20_000 },
    )
    .toBe('HTTP/1.1 200');
});

test.for([
  { name: 'behind a trusted proxy', environment: { TRUSTED_PROXY_HOPS: '1', CONNECTIONS_PER_ADDRESS: '5' } },
  {
    name: 'behind an unconfigured proxy on this machine',
    environment: { PUBLIC_URL: 'https://ear.example', CONNECTIONS_PER_ADDRESS: '5' },
  },
  { name: 'with the limit off', environment: { CONNECTIONS_PER_ADDRESS: '0' } },
])('S11: $name, one address may hold any number of connections', async ({ environment }) => {
  const server = await launchServer(environment);
  const alive = Array.from({ length: 50 }, () =>
    openSocket(server, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  );
  for (const socket of alive)
    await expect.poll(socket.received, { timeout: 20_000 }).toMatch(/^HTTP\/1\.1 200 /);
  expect(server.output).not.toContain('connections are refused');
});

test('S11: a user has at most 100 event streams over all sessions; the oldest are ended, no other user’s', async () => {
  const server = await launchServer({ CONNECTIONS_PER_ADDRESS: '0' });
  const user = new ApiClient(server.url);
  const { email, password } = await user.signUp();
  const other = await newUser(server);
  const open = async (cookie: string) => {
    const stream = openSocket(
      server,
      `GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`,
    );
    await expect.poll(stream.received, { timeout: 20_000 }).toContain('hello');
    return { isEnded: () => stream.received().endsWith('0\r\n\r\n') || stream.socket.readableEnded };
  };
  const ofOther = await open(other.cookie);
  const streams: Awaited<ReturnType<typeof open>>[] = [];
  for (let session = 0; session < 7; session += 1) {
    const device = new ApiClient(server.url);
    await device.json('POST', '/auth/login', { body: { email, password } });
    for (let count = 0; count < 15; count += 1) streams.push(await open(device.cookie));
    device.close();
  }
  user.close();
  await expect
    .poll(() => streams.map(({ isEnded }) => isEnded()), { timeout: 20_000 })
    .toEqual([...Array<boolean>(5).fill(true), ...Array<boolean>(100).fill(false)]);
  expect(ofOther.isEnded()).toBe(false);
});

test('S11: a session has at most 20 event streams; the oldest are ended', async () => {
  const server = await launchServer();
  const user = await newUser(server);
  const request = `GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: ${user.cookie}\r\n\r\n`;
  const streams: { isEnded: () => boolean }[] = [];
  for (let count = 0; count < 25; count += 1) {
    const stream = openSocket(server, request);
    await expect.poll(stream.received, { timeout: 20_000 }).toContain('hello');
    streams.push({ isEnded: () => stream.received().endsWith('0\r\n\r\n') || stream.socket.readableEnded });
  }
  await expect
    .poll(() => streams.map(({ isEnded }) => isEnded()), { timeout: 20_000 })
    .toEqual([...Array<boolean>(5).fill(true), ...Array<boolean>(20).fill(false)]);
  // Another user's session ends none of these streams.
  const other = await newUser(server);
  const stream = openSocket(server, request.replace(user.cookie, other.cookie));
  await expect.poll(stream.received, { timeout: 20_000 }).toContain('hello');
  expect(streams.filter(({ isEnded }) => isEnded())).toHaveLength(5);
});

test('S11: times out a body that does not arrive and headers that do not end', async () => {
  const server = await launchServer();
  const [body, headers] = [
    openSocket(server, halfLogin),
    openSocket(server, 'GET / HTTP/1.1\r\nHost: localhost\r\nX: '),
  ];
  const trickle = setInterval(() => {
    for (const { socket } of [body, headers]) if (socket.writable) socket.write('x');
  }, 2000);
  onTestFinished(() => {
    clearInterval(trickle);
  });
  await Promise.all([body.closed, headers.closed]);
  for (const { received } of [body, headers])
    expect(received()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request-timeout"/);
});
