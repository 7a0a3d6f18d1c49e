import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Recording } from '#contract/recordings.ts';
import { digestOf, newTake, oggOfSilence, sha256Of } from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';
import { type Config, readConfig } from './config.ts';
import { createLogger } from './logs/logger.ts';
import { startServer, type ServerOptions } from './server.ts';

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-server-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function builtWebApp(): Promise<string> {
  const directory = await newDirectory();
  await mkdir(join(directory, 'assets'));
  await mkdir(join(directory, '.vite'));
  await writeFile(
    join(directory, 'index.html'),
    '<!doctype html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">\n<meta property="csp-nonce" content="">\n</head><body></body></html>',
  );
  await writeFile(join(directory, 'assets', 'app-1234.js'), 'export {};');
  await writeFile(join(directory, 'icon.svg'), '<svg/>');
  await writeFile(join(directory, 'manifest.webmanifest'), '{}');
  await writeFile(
    join(directory, '.vite', 'manifest.json'),
    JSON.stringify({ '../../locales/de.po?first?lingui': { file: 'assets/de-5678.js' } }),
  );
  return directory;
}

async function start(
  dataDir: string,
  webDirectory = '/nowhere',
  { logger, ...changes }: Partial<Config> & Pick<ServerOptions, 'logger'> = {},
) {
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    METRICS_TOKEN: 'a-token-for-metrics',
  });
  const server = await startServer(
    { ...config, ...changes },
    { webDirectory, ...(logger === undefined ? {} : { logger }) },
  );
  const stop = (options?: { drains: boolean }) => server.stop(options);
  onTestFinished(() => stop({ drains: false }));
  const url = server.url.replace('localhost', '127.0.0.1');
  return { url, stop };
}

const json = { 'content-type': 'application/json' };

async function signUp(url: string): Promise<string> {
  const answer = await fetch(`${url}/auth/signup`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({
      email: 'anna@example.org',
      password: 'eleven quiet herons wade',
      displayName: 'Anna',
    }),
  });
  expect(answer.status).toBe(201);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

describe('a server', () => {
  test('preserves a take across a restart in the middle of it, and makes it ready', async () => {
    const dataDir = await newDirectory();
    let { url, stop } = await start(dataDir);
    const cookie = await signUp(url);
    const asAnna = () => ({ ...json, cookie, origin: url, 'x-requested-with': 'earshot' });
    const [recordingId, uploadId, audio] = [newId(), newId(), oggOfSilence(1)];
    const registered = await fetch(`${url}/api/recordings/${recordingId}`, {
      method: 'PUT',
      headers: asAnna(),
      body: JSON.stringify(newTake),
    });
    const {
      upload: { token },
    } = (await registered.json()) as { upload: { token: string } };
    const bearer = { authorization: `Bearer ${token}` };
    await fetch(`${url}/api/uploads/${uploadId}`, {
      method: 'PUT',
      headers: { ...json, ...bearer },
      body: JSON.stringify({ recordingId, stream: 'audio', segmentIndex: 0, startMs: 0, epoch: 1 }),
    });
    const half = audio.lastIndexOf('OggS');
    const send = (from: number, to: number) => {
      const piece = audio.subarray(from, to);
      return fetch(`${url}/api/uploads/${uploadId}`, {
        method: 'PATCH',
        headers: {
          ...bearer,
          'content-type': 'application/partial-upload',
          'upload-offset': String(from),
          'upload-epoch': '1',
          'content-digest': digestOf(piece),
        },
        body: new Uint8Array(piece),
      });
    };
    expect((await send(0, half)).status).toBe(204);
    await stop();
    ({ url, stop } = await start(dataDir));
    expect((await send(half, audio.length)).status).toBe(204);
    const receipt = await fetch(`${url}/api/uploads/${uploadId}/complete`, {
      method: 'POST',
      headers: { ...json, ...bearer },
      body: JSON.stringify({ lengthBytes: audio.length, sha256: sha256Of(audio), epoch: 1 }),
    });
    expect(receipt.status).toBe(200);
    const events = await fetch(`${url}/api/events`, { headers: { cookie } });
    await fetch(`${url}/api/recordings/${recordingId}/finish`, {
      method: 'POST',
      headers: { ...json, ...bearer },
      body: JSON.stringify({ durationMs: 1000, segmentCount: 1, gaps: [], pauses: [] }),
    });
    let recording = { state: 'finishing' } as Recording;
    // Every event triggers a new request; the last one comes when the job is done.
    for await (const _event of events.body ?? []) {
      recording = (await (
        await fetch(`${url}/api/recordings/${recordingId}`, { headers: { cookie } })
      ).json()) as Recording;
      if (recording.state === 'ready') break;
    }
    expect(recording).toMatchObject({ state: 'ready', durationMs: 994, sha256: sha256Of(audio) });
  });

  test('logs the job of a request with the id that its response had', async () => {
    const log = new PassThrough();
    const lines: { msg: string; kind?: string; requestId?: string; jobId?: string }[] = [];
    log.on('data', (chunk: Buffer) => {
      const texts = chunk.toString().split('\n').filter(Boolean);
      lines.push(...texts.map((text) => JSON.parse(text) as (typeof lines)[number]));
    });
    const { url } = await start(await newDirectory(), '/nowhere', { logger: createLogger('info', log) });
    const cookie = await signUp(url);
    const asked = await fetch(`${url}/api/exports/account`, {
      method: 'POST',
      headers: { ...json, cookie, origin: url, 'x-requested-with': 'earshot' },
    });
    expect(asked.ok).toBe(true);
    const requestId = asked.headers.get('x-request-id');
    const job = () => lines.find((line) => line.msg === 'job' && line.requestId === requestId);
    await expect.poll(job).toMatchObject({ outcome: 'done', jobId: expect.stringMatching(/^[\da-f-]{36}$/) });
  });

  test('signing out ends the open event stream', async () => {
    const { url } = await start(await newDirectory());
    const cookie = await signUp(url);
    const events = await fetch(`${url}/api/events`, { headers: { cookie } });
    await fetch(`${url}/auth/logout`, {
      method: 'POST',
      headers: { cookie, origin: url, 'x-requested-with': 'earshot' },
    });
    expect(await events.text()).toContain('session-ended');
  });

  test('stops while event streams are open', async () => {
    const { url, stop } = await start(await newDirectory());
    const cookie = await signUp(url);
    const events = await fetch(`${url}/api/events`, { headers: { cookie } });
    await stop();
    expect(await events.text()).toContain('hello');
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
  });

  test('says that it is not ready before it closes its port, and answers everything until then', async () => {
    const { url, stop } = await start(await newDirectory(), '/nowhere', { drainMs: 100_000 });
    const cookie = await signUp(url);
    void stop();
    const readiness = await fetch(`${url}/readyz`);
    expect([readiness.status, await readiness.json()]).toMatchObject([503, { status: 'draining' }]);
    const me = await fetch(`${url}/api/recordings`, { headers: { cookie } });
    expect([me.status, me.headers.get('connection')]).toEqual([200, 'close']);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await stop({ drains: false });
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
  });

  test('answers only health checks and scrapers as a worker', async () => {
    const worker = await start(await newDirectory(), await builtWebApp(), { role: 'worker' });
    const token = { authorization: 'Bearer a-token-for-metrics' };
    const statusOf = async (path: string) => (await fetch(`${worker.url}${path}`, { headers: token })).status;
    expect([
      await statusOf('/healthz'),
      await statusOf('/readyz'),
      await statusOf('/metrics'),
      await statusOf('/api/recordings'),
      await statusOf('/'),
    ]).toEqual([200, 200, 200, 404, 404]);
  });

  test('reports that it is alive and ready, and sends its metrics to a client with the token', async () => {
    const { url } = await start(await newDirectory());
    expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: 'ok', database: 'sqlite' });
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
      status: 'ready',
      database: 'ok',
      blobs: 'ok',
    });
    const metrics = async (headers: Record<string, string>) =>
      (await fetch(`${url}/metrics`, { headers })).status;
    const token = { authorization: 'Bearer a-token-for-metrics' };
    expect([
      await metrics({}),
      await metrics({ authorization: 'Bearer guess' }),
      await metrics({ 'x-forwarded-for': '192.0.2.1', ...token }),
    ]).toEqual([404, 404, 200]);
    const text = await (await fetch(`${url}/metrics`, { headers: token })).text();
    for (const figure of ['earshot_http_request_duration_seconds', 'process_cpu_seconds_total'])
      expect(text).toContain(figure);
  });
});

describe('the page', () => {
  const open = async () => start(await newDirectory(), await builtWebApp());
  const rootOf = async (response: Response) => /<html[^>]*>/.exec(await response.text())?.[0];

  test.for([
    ['/', { 'accept-language': 'de-AT,en;q=0.5' }, '<html lang="de" dir="ltr">'],
    ['/library', { 'accept-language': 'ar-EG' }, '<html lang="ar" dir="rtl">'],
    [
      '/library',
      { 'accept-language': 'ar', cookie: 'lang=de; theme=dark' },
      '<html lang="de" dir="ltr" data-theme="dark">',
    ],
    ['/?lang=ar', { cookie: 'lang=de' }, '<html lang="ar" dir="rtl">'],
    ['/?lang=xx&lang=yy', { 'accept-language': 'tlh, *;q=0.1' }, '<html lang="en" dir="ltr">'],
    [
      '/',
      { 'accept-language': '%%%,;;q=x,"', cookie: 'lang="><script>; theme=pink' },
      '<html lang="en" dir="ltr">',
    ],
  ] as const)('%s with %j begins with %s', async ([path, headers, root]) => {
    const { url } = await open();
    expect(await rootOf(await fetch(url + path, { headers }))).toBe(root);
  });

  test('has a new nonce each time, and preloads its catalogue', async () => {
    const { url } = await open();
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await fetch(url, { headers: { 'accept-language': 'de' } });
        const text = await answer.text();
        const nonce = /csp-nonce" content="([^"]+)"/.exec(text)?.[1] ?? '';
        expect(answer.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
        expect(answer.headers.get('vary')).toBe('Accept-Language, Cookie, Accept-Encoding');
        expect(text).toMatch(/<link rel="modulepreload"[^>]* href="\/assets\/de-5678\.js">/);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  test('is served at every URL that is nothing else', async () => {
    const { url } = await open();
    const status = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status;
    expect([
      await status('/recordings/1'),
      await status('/api/x'),
      await status('/auth/x/y/z'),
      await status('/assets/x.js'),
      await status('/x.json', { headers: { accept: 'application/json' } }),
      await status('/.vite/manifest.json'),
      await status('/../../package.json'),
    ]).toEqual([200, 404, 404, 404, 404, 200, 200]);
    expect(await (await fetch(`${url}/.vite/manifest.json`)).text()).toContain('<!doctype html>');
  });

  test('caches files with a hash in their name for ever, and revalidates others', async () => {
    const { url } = await open();
    expect((await fetch(`${url}/assets/app-1234.js`)).headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    );
    const icon = await fetch(`${url}/icon.svg`);
    expect([icon.headers.get('cache-control'), icon.headers.get('content-type')]).toEqual([
      'no-cache',
      'image/svg+xml',
    ]);
  });
});
