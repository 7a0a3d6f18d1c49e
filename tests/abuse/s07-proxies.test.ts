import { spawn, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '#scripts/free-port.ts';
import { ApiClient, appendAll, startTake, newId, sealTake, sha256Hex } from '#tests/support/api-client.ts';
import { oggOfSilence, peaksOf } from '#tests/support/api-under-test.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { launchServer, setUpOf } from './attack.ts';
import { soundBytes } from '#tests/support/sound-bytes.ts';

const deploy = join(import.meta.dirname, '..', '..', 'deploy');
const publicHost = 'ear.example';

/** A configuration in `deploy`, with these replacements. */
function configurationOf(
  file: string,
  replacements: readonly (readonly [from: string, to: string])[],
): string {
  let text = readFileSync(join(deploy, file), 'utf8');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${file} has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text;
}

interface Proxy {
  name: string;
  program: string;
  configure: (ports: { proxy: string; server: string }, directory: string) => string[];
}

/** Caddy as one of the files configures it. `servers` replaces the server's place; without it, it is one server. */
const caddyOf = (file: string, place: string, servers?: string): Proxy => ({
  name: 'Caddy',
  program: 'caddy',
  configure({ proxy, server }, directory) {
    const site = configurationOf(file, [
      [place, servers ?? `127.0.0.1:${server}`],
      ['{$DOMAIN:localhost} {', `http://${publicHost}:${proxy} {`],
    ]);
    writeFileSync(
      join(directory, 'Caddyfile'),
      `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tstorage file_system ${directory}\n}\n${site}`,
    );
    return ['run', '--config', join(directory, 'Caddyfile'), '--adapter', 'caddyfile'];
  },
});

const proxies: Proxy[] = [
  {
    name: 'nginx',
    program: 'nginx',
    configure({ proxy, server }, directory) {
      const site = configurationOf('nginx.conf', [
        ['127.0.0.1:3000', `127.0.0.1:${server}`],
        ['listen 443 ssl;', `listen 127.0.0.1:${proxy};`],
        ['/var/log/nginx/', `${directory}/logs/`],
      ]).replaceAll(/^\s*ssl_.*$/gm, '');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${directory}/${kind};`)
        .join('\n');
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      writeFileSync(
        join(directory, 'nginx.conf'),
        `${user}\ndaemon off;\npid ${directory}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}\n}\n`,
      );
      return ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', 'stderr'];
    },
  },
  caddyOf('Caddyfile', '{$EARSHOT:127.0.0.1:3000}'),
];

const isInstalled = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

/** A client that reaches Earshot through the proxy, under the public host name. */
class PublicClient extends ApiClient {
  override send(call: Parameters<ApiClient['send']>[0]): ReturnType<ApiClient['send']> {
    return super.send({ ...call, headers: { host: publicHost, ...call.headers } });
  }
}

const signUpFirst = (client: ApiClient, server: EarshotServer): Promise<unknown> =>
  client.json('POST', '/auth/signup', {
    body: { email: `${newId()}@example.org`, password: 'a quiet harbour at dusk 7', ...setUpOf(server) },
  });

/** Starts a proxy in front of a server that answers `/healthz`. Returns its URL. */
async function startProxy({ name, program, configure }: Proxy, serverUrl: string): Promise<string> {
  const port = String(await freePort());
  const directory = mkdtempSync(join(tmpdir(), 'earshot-proxy-'));
  mkdirSync(join(directory, 'logs'));
  const child = spawn(program, configure({ proxy: port, server: new URL(serverUrl).port }, directory), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
  });
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  const probe = new PublicClient(url);
  await expect
    .poll(
      async () => {
        if (child.exitCode !== null) throw new Error(`${name} ended:\n${output}`);
        return probe.send({ method: 'GET', path: '/healthz' }).then(
          ({ status }) => status,
          () => 0,
        );
      },
      { timeout: 30_000 },
    )
    .toBe(200);
  return url;
}

async function startBehind(proxy: Proxy): Promise<{ server: EarshotServer; url: string }> {
  const server = await launchServer({ PUBLIC_URL: `https://${publicHost}`, TRUSTED_PROXY_HOPS: '1' });
  return { server, url: await startProxy(proxy, server.url) };
}

/** A server that reads any body to its end. Returns its URL, and the largest number of bytes that it received. */
async function startSink(): Promise<{ url: string; maxBytes: () => number }> {
  let maxBytes = 0;
  const sink = createServer((incoming, answer) => {
    let received = 0;
    incoming.on('data', (chunk: Buffer) => {
      received += chunk.length;
      maxBytes = Math.max(maxBytes, received);
    });
    incoming.on('error', () => undefined);
    incoming.on('end', () => answer.end('ok'));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => {
    sink.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    sink.closeAllConnections();
    sink.close();
  });
  return { url: `http://127.0.0.1:${port}`, maxBytes: () => maxBytes };
}

/** Sends a body of this size in chunks. Returns the status; 0 if the connection is closed first. */
function sendChunked(url: string, sizeBytes: number): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request(`${url}/`, { method: 'POST', headers: { host: publicHost } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
      outgoing.destroy();
    });
    outgoing.on('error', () => {
      resolve(0);
    });
    const piece = Buffer.alloc(1024 * 1024);
    const pieces = Array.from({ length: Math.ceil(sizeBytes / piece.length) }, () => piece);
    Readable.from(pieces).pipe(outgoing);
  });
}

/** Opens an event stream through the proxy. Returns a function that returns the text received so far. */
function openEvents(url: string, cookie: string): () => string {
  let received = '';
  const request = get(`${url}/api/events`, { headers: { host: publicHost, cookie } }, (answer) => {
    answer.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
  });
  request.on('error', () => undefined);
  onTestFinished(() => {
    request.destroy();
  });
  return () => received;
}

const described = proxies.map((proxy) => ({
  ...proxy,
  isThere: isInstalled(proxy.program),
  note: isInstalled(proxy.program) ? '' : ` (${proxy.program} is not installed: not tried)`,
}));

for (const { isThere, note, ...proxy } of described)
  describe.skipIf(!isThere)(`S7: behind ${proxy.name} as deploy configures it${note}`, () => {
    test('users can record, get live events immediately and play, with the largest allowed requests', async () => {
      const { server, url } = await startBehind(proxy);
      const client = new PublicClient(url);
      await signUpFirst(client, server);
      const events = openEvents(url, client.cookie);
      await expect.poll(events, { timeout: 20_000 }).toContain('hello');
      const take = await startTake(client);
      await expect.poll(events, { timeout: 20_000 }).toContain(take.recordingId);
      const [audio, peaks] = [oggOfSilence(5), peaksOf(5)];
      await appendAll(client, { uploadId: take.audioId, token: take.token }, { bytes: audio });
      await appendAll(client, { uploadId: take.peaksId, token: take.token }, { bytes: peaks });
      const sealed = (bytes: Uint8Array) => ({ lengthBytes: bytes.length, sha256: sha256Hex(bytes) });
      await sealTake(client, take, { audio: sealed(audio), peaks: sealed(peaks), durationMs: 5000 });
      await expect
        .poll(
          async () =>
            ((await client.json('GET', `/api/recordings/${take.recordingId}`)) as { state: string }).state,
          { timeout: 30_000 },
        )
        .toBe('ready');
      const part = await client.send({
        method: 'GET',
        path: `/api/recordings/${take.recordingId}/audio`,
        headers: { cookie: client.cookie, range: 'bytes=0-99' },
      });
      expect([part.status, part.body.length]).toEqual([206, 100]);
      const large = await startTake(client);
      expect(
        (
          await client.append({
            uploadId: large.audioId,
            token: large.token,
            offsetBytes: 0,
            bytes: soundBytes(1024 * 1024),
          })
        ).status,
      ).toBe(204);
      const body = Buffer.from(JSON.stringify({ recordings: [], padding: 'x'.repeat(3.9 * 1024 * 1024) }));
      const rejected = await client.send({
        method: 'POST',
        path: '/api/restores/check',
        headers: {
          cookie: client.cookie,
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'x-requested-with': 'earshot',
        },
        body,
      });
      // Earshot itself must decide whether the body is too large.
      expect(rejected.headers['content-type']).toContain('application/problem+json');
    });

    test('a body of 60 MB reaches the server, and no server receives more than 64 MB of a larger one', async () => {
      const sink = await startSink();
      const url = await startProxy(proxy, sink.url);
      expect(await sendChunked(url, 60_000_000)).toBe(200);
      expect(await sendChunked(url, 90_000_000)).not.toBe(200);
      expect(sink.maxBytes()).toBeLessThanOrEqual(64 * 1024 * 1024);
    });

    test('the configured hops are right: one network is throttled despite forged headers, with no warning', async () => {
      const { server, url } = await startBehind(proxy);
      const admin = new PublicClient(url);
      await signUpFirst(admin, server);
      expect(await admin.json('GET', '/api/admin/installation')).toMatchObject({ proxy: null });
      const statuses: number[] = [];
      for (let count = 0; count < 25; count += 1) {
        const answer = await admin.send({
          method: 'POST',
          path: '/auth/login',
          headers: {
            'x-forwarded-for': `192.0.2.${count}`,
            'sec-fetch-site': 'same-origin',
            'x-requested-with': 'earshot',
            'content-type': 'application/json',
          },
          body: Buffer.from(
            JSON.stringify({
              email: `nobody${count}@example.org`,
              password: 'a wrong password, long enough',
            }),
          ),
        });
        statuses.push(answer.status);
      }
      expect(statuses.slice(-4)).toEqual([429, 429, 429, 429]);
      expect(await admin.json('GET', '/api/admin/installation')).toMatchObject({ proxy: null });
      expect(server.output).not.toContain('do not match');
      expect((await admin.send({ method: 'GET', path: '/metrics' })).status).toBe(404);
      expect(JSON.parse((await admin.send({ method: 'GET', path: '/healthz' })).body.toString())).toEqual({
        status: 'ok',
      });
    });
  });

describe.skipIf(!isInstalled('caddy'))('S7: while the server restarts', () => {
  test('requests through Caddy wait for it', async () => {
    const caddy = proxies.find(({ program }) => program === 'caddy');
    if (!caddy) throw new Error('no configuration of Caddy');
    const { server, url } = await startBehind(caddy);
    const client = new PublicClient(url);
    await server.end('SIGTERM');
    const waiting = client.send({ method: 'GET', path: '/healthz' });
    await server.start();
    expect((await waiting).status).toBe(200);
  });
});

describe.skipIf(!isInstalled('caddy'))(
  'S7: three servers behind Caddy as deploy/Caddyfile.scale configures it',
  () => {
    test('a server that stops, or is killed, fails no request', async () => {
      const environment = { PUBLIC_URL: `https://${publicHost}`, TRUSTED_PROXY_HOPS: '1' };
      const servers = await Promise.all([1, 2, 3].map(() => launchServer(environment)));
      const addresses = servers.map(({ url }) => `127.0.0.1:${new URL(url).port}`).join(' ');
      const url = await startProxy(
        caddyOf('Caddyfile.scale', '{$EARSHOT:earshot-1:3000 earshot-2:3000 earshot-3:3000}', addresses),
        servers[0]?.url ?? '',
      );
      const client = new PublicClient(url);
      const statuses: number[] = [];
      const ended = new AbortController();
      const asking = (async () => {
        while (!ended.signal.aborted)
          // A draining server still answers this with 200, unlike /readyz.
          statuses.push((await client.send({ method: 'GET', path: '/healthz' })).status);
      })();
      await servers[0]?.end('SIGTERM');
      await servers[1]?.end('SIGKILL');
      const soFar = statuses.length;
      await expect.poll(() => statuses.length, { timeout: 30_000 }).toBeGreaterThan(soFar + 50);
      ended.abort();
      await asking;
      expect(new Set(statuses)).toEqual(new Set([200]));
    });
  },
);
