import { beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#contract/accounts-api.ts';
import { trackedFetch } from './connection/connection.ts';
import { watchFirstAnswer } from './connection/cut-off.ts';
import { rememberUsers, viewerId } from './viewer.ts';
import { sessionState } from './session-state.ts';

const anna: User = {
  id: '0192-anna',
  displayName: 'Anna',
  email: null,
  locale: null,
  role: 'member',
  createdAt: '2026-11-21T09:00:00.000Z',
};
const rest = {
  signUp: 'open',
  hasMail: false,
  needsSetUpCode: false,
  methods: null,
  notices: [],
  isLeaving: false,
} as const;

/** Cookies as in a browser: written one at a time, read all at once. */
function cookieJar() {
  const jar = new Map<string, string>();
  return {
    get cookie() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(text: string) {
      const [pair = ''] = text.split('; ');
      const [name = '', value = ''] = pair.split('=');
      if (text.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    },
  };
}

async function serverIs(state: 'there' | 'gone'): Promise<void> {
  vi.stubGlobal('fetch', async () => {
    if (state === 'gone') throw new TypeError('Failed to fetch');
    return new Response();
  });
  await trackedFetch('/auth/session').catch(() => undefined);
}

beforeEach(() => {
  vi.stubGlobal('document', cookieJar());
  vi.stubGlobal('location', { protocol: 'https:', port: '' });
  sessionState.set({ status: 'unknown', user: null, ...rest });
});
rememberUsers();
watchFirstAnswer();

/** A new page in the same browser: cookies stay, memory is lost. */
const reopen = () => sessionState.set({ status: 'unknown', user: null, ...rest });

test('shows the takes of the last user while the server is unreachable', async () => {
  sessionState.set({ status: 'signed-in', user: anna, ...rest });
  reopen();
  await serverIs('gone');
  expect(viewerId()).toBe(anna.id);
});

test('assumes no user while the server can be reached', async () => {
  sessionState.set({ status: 'signed-in', user: anna, ...rest });
  reopen();
  await serverIs('there');
  expect(viewerId()).toBe(null);
});

test('forgets a user who signed out', async () => {
  sessionState.set({ status: 'signed-in', user: anna, ...rest });
  sessionState.set({ status: 'signed-out', user: null, ...rest });
  reopen();
  await serverIs('gone');
  expect(viewerId()).toBe(null);
});

test('keeps the users of two installations on one host apart, also on sign-out', async () => {
  const ben: User = { ...anna, id: '0192-ben' };
  const at = (port: string) => vi.stubGlobal('location', { protocol: 'http:', port });
  at('3000');
  sessionState.set({ status: 'signed-in', user: anna, ...rest });
  at('3001');
  sessionState.set({ status: 'signed-in', user: ben, ...rest });
  sessionState.set({ status: 'signed-out', user: null, ...rest });
  reopen();
  await serverIs('gone');
  expect(viewerId()).toBeNull();
  at('3000');
  expect(viewerId()).toBe(anna.id);
});
