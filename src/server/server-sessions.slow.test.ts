import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { digestOf, newTake } from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';
import { SmtpSink } from '#tests/support/smtp-sink.ts';
import { readConfig } from './config.ts';
import { startServer } from './server.ts';

const password = 'eleven quiet herons wade';
const email = 'anna@example.org';

async function start(environment: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-sessions-'));
  let log = '';
  const logger = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        log += String(chunk);
        done();
      },
    }),
  );
  const server = await startServer(readConfig({ PORT: '0', DATA_DIR: dataDir, ...environment }), {
    webDirectory: '/nowhere',
    logger,
  });
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { url: server.url.replace('localhost', '127.0.0.1'), log: () => log };
}

/** A device at a real server, with its cookies. */
class Device {
  readonly #url: string;
  readonly cookies = new Map<string, string>();
  /** The content of all responses, except their cookies. */
  received = '';

  constructor(url: string) {
    this.#url = url;
  }

  get #headers(): Record<string, string> {
    return {
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': 'same-origin',
      'x-requested-with': 'earshot',
    };
  }

  async send(method: string, path: string, body?: object): Promise<{ status: number; json: unknown }> {
    const answer = await fetch(this.#url + path, {
      method,
      headers: { ...this.#headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    const text = await answer.text();
    this.received += `${JSON.stringify([...answer.headers].filter(([name]) => name !== 'set-cookie'))} ${text}\n`;
    return { status: answer.status, json: text === '' ? null : JSON.parse(text) };
  }

  events(): Promise<Response> {
    return fetch(`${this.#url}/api/events`, { headers: this.#headers });
  }
}

describe('a session that ends', () => {
  test('abuse case 29: ends its open requests, while a take that is being finished continues', async () => {
    const { url } = await start();
    const [a, b] = [new Device(url), new Device(url)];
    await a.send('POST', '/auth/signup', { email, password });
    await b.send('POST', '/auth/login', { email, password });
    const [recordingId, uploadId] = [newId(), newId()];
    const registered = await b.send('PUT', `/api/recordings/${recordingId}`, newTake);
    const {
      upload: { token },
    } = registered.json as { upload: { token: string } };
    const bearer = { authorization: `Bearer ${token}` };
    await fetch(`${url}/api/uploads/${uploadId}`, {
      method: 'PUT',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ recordingId, stream: 'audio', segmentIndex: 0, startMs: 0, epoch: 1 }),
    });
    const events = await b.events();
    const { items } = (await a.send('GET', '/auth/sessions')).json as {
      items: { id: string; isCurrent: boolean }[];
    };
    const other = items.find(({ isCurrent }) => !isCurrent)?.id ?? '';
    expect((await a.send('DELETE', `/auth/sessions/${other}?finishTakes=true`)).status).toBe(204);
    expect(await events.text()).toContain('session-ended');
    expect((await b.send('GET', '/api/recordings')).status).toBe(401);
    const bytes = Buffer.from('still being said');
    const appended = await fetch(`${url}/api/uploads/${uploadId}`, {
      method: 'PATCH',
      body: new Uint8Array(bytes),
      headers: {
        ...bearer,
        'content-type': 'application/partial-upload',
        'upload-offset': '0',
        'upload-epoch': '1',
        'content-digest': digestOf(bytes),
      },
    });
    expect(appended.status).toBe(204);
  });

  test('abuse case 15: a password reset ends the attacker’s open stream', async () => {
    const { url } = await start();
    const [owner, attacker] = [new Device(url), new Device(url)];
    await owner.send('POST', '/auth/signup', { email, password });
    await attacker.send('POST', '/auth/login', { email, password });
    const events = await attacker.events();
    const { user } = (await owner.send('GET', '/auth/session')).json as { user: { id: string } };
    const link = (await owner.send('POST', `/api/admin/users/${user.id}/reset-link`)).json as { url: string };
    expect(
      (
        await owner.send('POST', '/auth/password/reset', {
          token: link.url.split('#')[1],
          newPassword: 'a wholly different sentence',
        })
      ).status,
    ).toBe(204);
    expect(await events.text()).toContain('session-ended');
    expect((await attacker.send('GET', '/api/recordings')).status).toBe(401);
  });

  test('leaves the stream open when the user authenticates again and the token changes', async () => {
    const { url } = await start();
    const device = new Device(url);
    await device.send('POST', '/auth/signup', { email, password });
    const events = await device.events();
    await device.send('POST', '/auth/reauthenticate', { method: 'password', password });
    await device.send('PATCH', '/api/profile', { displayName: 'Anna' });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('profile-changed')) text += (await reader?.read())?.value ?? '';
    expect(text).not.toContain('session-ended');
    await reader?.cancel();
  });
});

const found = (pattern: RegExp, text = ''): string => pattern.exec(text)?.[1] ?? '';

test('abuse case 28: puts no token, code or password in log lines, URLs or responses', async () => {
  const post = await SmtpSink.start();
  const { url, log } = await start({ SMTP_URL: post.url, MAIL_FROM: 'Earshot <post@earshot.example>' });
  const device = new Device(url);
  const { flow } = (await device.send('POST', '/auth/signup', { email, password })).json as { flow: string };
  const code = found(/^(\d{8})$/m, (await post.arrived(1))[0]?.text);
  expect((await device.send('POST', '/auth/signup/verify', { flow, code })).status).toBe(201);
  const tokenNow = (): string => String([...device.cookies].find(([name]) => name.startsWith('sid'))?.[1]);
  const tokens = [tokenNow()];
  await device.send('POST', '/auth/reauthenticate', { method: 'password', password });
  tokens.push(tokenNow());
  await device.send('POST', '/auth/login', { email, password: 'not the right words' });
  await device.send('POST', '/auth/password/forgot', { email });
  const link = found(/#([\w-]{43})$/m, (await post.arrived(2))[1]?.text);
  await device.send('POST', '/auth/password/reset', {
    token: link,
    newPassword: 'a wholly different sentence',
  });
  await device.send('GET', `/auth/session?token=${tokens[1]}`);
  expect(new Set(tokens).size).toBe(2);
  expect(log()).toContain('/auth/password/reset');
  for (const secret of [
    ...tokens,
    code,
    link,
    password,
    'a wholly different sentence',
    'not the right words',
    email,
  ]) {
    expect(secret).not.toBe('');
    expect(log()).not.toContain(secret);
  }
  for (const secret of [...tokens, code, link, password]) expect(device.received).not.toContain(secret);
});
