import { expect, test } from 'vitest';
import { UserScope } from './user-scope.ts';

/** A scope that records its callbacks, and one of its stores. */
function setUp() {
  const scope = new UserScope();
  const ended: string[] = [];
  const queue = scope.createStore<readonly string[]>([]);
  scope.onSessionEnd(() => ended.push(`session of ${scope.userId}`));
  scope.onUserLeft(() => ended.push('user'));
  return { scope, ended, queue };
}

test('resets a store after a sign-out and remounts the pages', () => {
  const { scope, ended, queue } = setUp();
  scope.follow('alice', false);
  queue.set(['a recording of Alice']);
  scope.follow('alice', true);
  expect(queue.getSnapshot()).toEqual(['a recording of Alice']);
  scope.follow(null, true);
  expect(queue.getSnapshot()).toEqual([]);
  expect({ ended, generation: scope.generation.getSnapshot(), userId: scope.userId }).toEqual({
    ended: ['session of alice', 'user'],
    generation: 1,
    userId: null,
  });
});

test('keeps the page for the same user after a lost session', () => {
  const { scope, ended, queue } = setUp();
  scope.follow('alice', false);
  queue.set(['a recording of Alice']);
  scope.follow(null, false);
  expect(queue.getSnapshot()).toEqual([]);
  scope.follow('alice', false);
  expect({ ended, generation: scope.generation.getSnapshot() }).toEqual({
    ended: ['session of alice'],
    generation: 0,
  });
});

test('ends the first user’s work when another user signs in after a lost session', () => {
  const { scope, ended } = setUp();
  scope.follow('alice', false);
  scope.follow(null, false);
  scope.follow('bob', false);
  expect({ ended, generation: scope.generation.getSnapshot(), userId: scope.userId }).toEqual({
    ended: ['session of alice', 'user'],
    generation: 1,
    userId: 'bob',
  });
});

test('counts a user as gone who cancels the sign-in after a lost session', () => {
  const { scope, ended } = setUp();
  scope.follow('alice', false);
  scope.follow(null, false);
  scope.follow(null, true);
  scope.follow(null, false);
  expect(ended).toEqual(['session of alice', 'user']);
});

test('ends both users if one replaces the other without a sign-out', () => {
  const { scope, ended } = setUp();
  scope.follow('alice', false);
  scope.follow('bob', false);
  scope.follow(null, true);
  expect(ended).toEqual(['session of alice', 'user', 'session of bob', 'user']);
});

test('ends nothing on the first sign-in', () => {
  const { scope, ended } = setUp();
  scope.follow(null, false);
  scope.follow('alice', false);
  expect({ ended, generation: scope.generation.getSnapshot() }).toEqual({ ended: [], generation: 0 });
});

test('a user who was here before a reload has left once another one signs in', () => {
  const stored = new Map<'user', string | null>([['user', 'alice']]);
  const memory = {
    read: () => stored.get('user') ?? null,
    write: (userId: string | null) => void stored.set('user', userId),
  };
  const scope = new UserScope(memory);
  const ended: string[] = [];
  scope.onUserLeft(() => ended.push('claims'));
  scope.follow(null, false);
  scope.follow('bob', false);
  expect([ended, stored.get('user')]).toEqual([['claims'], 'bob']);
  scope.onUserLeft(() => ended.push('loaded later'));
  expect(ended).toEqual(['claims', 'loaded later']);
});
