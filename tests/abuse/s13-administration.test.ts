import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiClient, startTake, type OpenTake } from '#tests/support/api-client.ts';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { newUser, onEveryDatabase, statusOf } from './attack.ts';
import { soundBytes } from '#tests/support/sound-bytes.ts';

interface Member {
  client: ApiClient;
  id: string;
  email: string;
  password: string;
  take: OpenTake;
  sentBytes: number;
}

const piece = soundBytes(1200);

/** A member with a running take, some of which is on the server. */
async function recordingMember(server: EarshotServer): Promise<Member> {
  const client = new ApiClient(server.url);
  onTestFinished(() => client.close());
  const account = await client.signUp();
  const { user } = (await client.json('GET', '/auth/session')) as { user: { id: string } };
  const member = { client, id: user.id, ...account, take: await startTake(client), sentBytes: 0 };
  expect(await append(member)).toBe(204);
  return member;
}

async function append(member: Member): Promise<number> {
  const { status } = await member.client.append({
    uploadId: member.take.audioId,
    token: member.take.token,
    offsetBytes: member.sentBytes,
    bytes: piece,
  });
  if (status === 204) member.sentBytes += piece.length;
  return status;
}

/** Registers a take again, as a device does whose capability was revoked. Returns the new token. */
async function registerAgain(client: ApiClient, recordingId: string): Promise<string> {
  const registered = await client.json('PUT', `/api/recordings/${recordingId}`, {
    body: {
      title: 'Take',
      startedAt: new Date().toISOString(),
      timeZone: 'UTC',
      source: 'microphone',
      format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
    },
  });
  return (registered as { upload: { token: string } }).upload.token;
}

/**
 * Opens the member's event stream. The returned function resolves with its whole text once the server has ended
 * it.
 */
async function openEvents(server: EarshotServer, member: Member): Promise<() => Promise<string>> {
  const response = await fetch(`${server.url}/api/events`, { headers: { cookie: member.client.cookie } });
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader.read();
  return async () => {
    let text = first.value ?? '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
    return text;
  };
}

async function logIn(
  server: EarshotServer,
  { email, password }: Member,
): Promise<{ status: number; code: string | undefined }> {
  const client = new ApiClient(server.url);
  onTestFinished(() => client.close());
  const { status, body } = await client.tryPassword({ email, password });
  return { status, code: (JSON.parse(body.toString()) as { code?: string }).code };
}

/**
 * How an account is disabled and enabled: by an administrator's request, or by the command line while the server
 * runs.
 */
type SetAccount = (member: Member, action: 'disable' | 'enable') => Promise<void>;
const ways: Record<string, (server: EarshotServer, admin: ApiClient) => SetAccount> = {
  'disabled by an administrator': (_server, admin) => async (member, action) => {
    await admin.json('POST', `/api/admin/users/${member.id}/${action}`);
  },
  'disabled on the command line': (server) => async (member, action) => {
    expect(await server.command(action, member.email.toUpperCase())).toMatchObject({ code: 0 });
  },
};

// Previously an attacker with an account could not be removed from an installation.
onEveryDatabase((launch) => {
  describe('S13: an account', () => {
    test.each(Object.entries(ways))(
      '%s loses its sessions, uploads and event streams but no data, and can be enabled again',
      async (_way, setBy) => {
        const server = await launch();
        const set = setBy(server, await newUser(server));
        const member = await recordingMember(server);
        const events = await openEvents(server, member);

        await set(member, 'disable');
        expect(await events()).toContain('session-ended');
        expect(await statusOf(member.client, { method: 'GET', path: '/api/recordings' })).toBe(401);
        await expect.poll(() => append(member)).toBe(401);
        expect(await logIn(server, member)).toEqual({ status: 403, code: 'account-disabled' });
        expect(await logIn(server, { ...member, password: 'not the password at all' })).toEqual({
          status: 401,
          code: 'invalid-credentials',
        });

        await set(member, 'enable');
        expect(await logIn(server, member)).toEqual({ status: 200, code: undefined });
        // The capability was revoked with the sessions; the device requests another one with a new session.
        expect(await append(member)).toBe(401);
        await member.client.json('POST', '/auth/login', {
          body: { email: member.email, password: member.password },
        });
        member.take.token = await registerAgain(member.client, member.take.recordingId);
        expect(await append(member)).toBe(204);
      },
    );

    test('of the only administrator, or of the requesting one, cannot be disabled', async () => {
      const server = await launch();
      const admin = new ApiClient(server.url);
      onTestFinished(() => admin.close());
      const { email } = await admin.signUp();
      const { user } = (await admin.json('GET', '/auth/session')) as { user: { id: string } };
      expect(await statusOf(admin, { method: 'POST', path: `/api/admin/users/${user.id}/disable` })).toBe(
        409,
      );
      expect(await server.command('disable', email)).toMatchObject({ code: 1 });
      expect(await server.command('disable', 'nobody@example.org')).toMatchObject({ code: 1 });
      expect(await statusOf(admin, { method: 'GET', path: '/api/recordings' })).toBe(200);
    });
  });
});
