import { beforeEach, expect, test, vi } from 'vitest';

let stored: Record<string, string>;

beforeEach(() => {
  stored = {};
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, text: string) => {
      stored[key] = text;
    },
    removeItem: (key: string) => {
      delete stored[key];
    },
  });
});

const load = () => import('./owner-standings.ts');

test('the time of the first answer lasts, also for another page', async () => {
  const first = await load();
  first.setOwnerStanding('ana', 'deleted', 5);
  first.setOwnerStanding('ana', 'deleted', 9);
  vi.resetModules();
  const next = await load();
  next.setOwnerStanding('ana', 'deleted', 20);
  expect(next.ownerStandings.getSnapshot().get('ana')).toEqual({ standing: 'deleted', sinceMs: 5 });
});

test('an account that is turned on again is lost no more', async () => {
  const { setOwnerStanding, ownerStandings, lostStandingOf } = await load();
  setOwnerStanding('ana', 'disabled', 5);
  expect(lostStandingOf(ownerStandings.getSnapshot(), 'ana')).toBe('disabled');
  setOwnerStanding('ana', null, 6);
  expect(lostStandingOf(ownerStandings.getSnapshot(), 'ana')).toBeNull();
  expect(stored).toEqual({});
});

test('accounts without takes here are forgotten, and values that another program stored are ignored', async () => {
  stored['earshot.owner-standings'] = JSON.stringify({ eve: { standing: 'king', sinceMs: 1 }, bob: 7 });
  const { setOwnerStanding, ownerStandings, forgetOtherStandings } = await load();
  expect(ownerStandings.getSnapshot().size).toBe(0);
  setOwnerStanding('ana', 'deleted', 5);
  setOwnerStanding('bob', 'deleted', 5);
  forgetOtherStandings(new Set(['bob']));
  expect([...ownerStandings.getSnapshot().keys()]).toEqual(['bob']);
});
