import { beforeEach, expect, test } from 'vitest';
import { minute } from '#base/duration.ts';
import type { Identify, SessionPrincipal } from '#server/http/principal.ts';
import { RememberedAdmins } from './remembered-admins.ts';

const admin: SessionPrincipal = {
  kind: 'session',
  userId: 'u',
  role: 'admin',
  sessionId: 's',
  tokenHash: 'h',
  authTimeMs: 0,
};
const request = { cookieToken: 'token', ip: '127.0.0.1' };
const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

let nowMs: number;
/** What the database answers; null while it is lost. */
let answer: SessionPrincipal | 'expired' | null;
let admins: RememberedAdmins;
let usual: Identify['session'];
let inOutage: Identify['session'];

beforeEach(() => {
  nowMs = 0;
  answer = admin;
  admins = new RememberedAdmins(() => nowMs);
  usual = admins.remembering(async () => {
    if (answer === null) throw away;
    return answer;
  });
  inOutage = admins.outliving(usual);
});

test('identifies an administrator for a minute after the database was last reached, on these routes alone', async () => {
  await usual(request);
  answer = null;
  nowMs = minute - 1;
  expect(await inOutage(request)).toEqual(admin);
  await expect(usual(request)).rejects.toBe(away);
  await expect(inOutage({ ...request, cookieToken: 'another' })).rejects.toMatchObject({
    code: 'unavailable',
  });
  await expect(inOutage({ ...request, cookieToken: null })).rejects.toMatchObject({ code: 'unavailable' });
  nowMs = minute;
  await expect(inOutage(request)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 });
});

test.each([
  ['a member', { ...admin, role: 'member' as const }],
  ['an expired session', 'expired' as const],
])('forgets a session once the database has it as that of %s', async (_, later) => {
  await usual(request);
  answer = later;
  expect(await inOutage(request)).toEqual(later);
  answer = null;
  await expect(inOutage(request)).rejects.toMatchObject({ code: 'unavailable' });
});

test('forgets a session that ends', async () => {
  await usual(request);
  admins.forget('s');
  answer = null;
  await expect(inOutage(request)).rejects.toMatchObject({ code: 'unavailable' });
});

test('passes other failures on', async () => {
  const failing = admins.outliving(() => Promise.reject(new Error('a fault')));
  await usual(request);
  await expect(failing(request)).rejects.toThrow('a fault');
});
