import { beforeEach, describe, expect, test } from 'vitest';
import {
  accessTo,
  addTabTake,
  ownerFor,
  setTabOwner,
  setViewer,
  viewer,
  type ViewerFacts,
} from './viewer.ts';

const take = (ownerId: string | null) => ({ id: 'a', ownerId });
const tabOf = (ownerId: string | null, ...takeIds: string[]) => ({ ownerId, takeIds: new Set(takeIds) });

describe('access to a take', () => {
  const cases: [string, string | null, ViewerFacts, 'full' | 'existence', string][] = [
    ['a take without an owner, nobody signed in', null, { userId: null }, 'full', 'nobody'],
    ['a take without an owner, a user signed in', null, { userId: 'bob' }, 'full', 'nobody'],
    ['its owner', 'ana', { userId: 'ana' }, 'full', 'me'],
    ['another user', 'ana', { userId: 'bob' }, 'existence', 'other'],
    ['nobody signed in', 'ana', { userId: null }, 'existence', 'other'],
    [
      'the person at the tab that recorded it',
      'ana',
      { userId: null, tab: tabOf('ana', 'a') },
      'full',
      'me-signed-out',
    ],
    [
      'the person at a tab that recorded another',
      'ana',
      { userId: null, tab: tabOf('ana', 'b') },
      'existence',
      'other',
    ],
    ['the tab of another user', 'ana', { userId: null, tab: tabOf('bob', 'a') }, 'existence', 'other'],
    [
      'another user at the tab that recorded it',
      'ana',
      { userId: 'bob', tab: tabOf('ana', 'a') },
      'existence',
      'other',
    ],
  ];
  test.each(cases)('of %s', (...[, ownerId, viewing, access, owner]) => {
    expect([accessTo(take(ownerId), viewing), ownerFor(take(ownerId), viewing)]).toEqual([access, owner]);
  });
});

describe('the person at a tab', () => {
  beforeEach(() => {
    setTabOwner(null);
    setViewer(null);
  });
  const see = () => accessTo(take('ana'), viewer.getSnapshot());

  test('still sees what this tab recorded after the session has ended elsewhere', () => {
    setViewer('ana');
    setTabOwner('ana');
    addTabTake('a');
    setViewer(null);
    expect(see()).toBe('full');
  });

  test('still sees what this tab recorded before the user signed in', () => {
    addTabTake('a');
    setViewer('ana');
    setTabOwner('ana');
    setViewer(null);
    expect(see()).toBe('full');
  });

  test('sees nothing of it after leaving the tab, nor does the next user, nor the owner’s next tab session', () => {
    setTabOwner('ana');
    addTabTake('a');
    setTabOwner(null);
    expect(see()).toBe('existence');
    setViewer('bob');
    setTabOwner('bob');
    expect(see()).toBe('existence');
    setViewer(null);
    setTabOwner('ana');
    expect(see()).toBe('existence');
  });
});
