import { expect, test } from 'vitest';
import { UserScope } from './user-scope.ts';

/** A scope that writes down what ends, and one store of it. */
function setUp() {
  const scope = new UserScope();
  const ended: string[] = [];
  const queue = scope.createStore<readonly string[]>([]);
  scope.onSessionEnd(() => ended.push(`session of ${scope.userId}`));
  scope.onUserLeft(() => ended.push('user'));
  return { scope, ended, queue };
}

test('a store has its first value again after a sign-out, and pages start again', () => {
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

test('after a lost session, the same user finds the page as it was', () => {
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

test('after a lost session, another user who signs in ends what the first one began', () => {
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

test('a user who gives up the sign-in after a lost session has left', () => {
  const { scope, ended } = setUp();
  scope.follow('alice', false);
  scope.follow(null, false);
  scope.follow(null, true);
  scope.follow(null, false);
  expect(ended).toEqual(['session of alice', 'user']);
});

test('a user who takes the place of another without a sign-out ends both', () => {
  const { scope, ended } = setUp();
  scope.follow('alice', false);
  scope.follow('bob', false);
  scope.follow(null, true);
  expect(ended).toEqual(['session of alice', 'user', 'session of bob', 'user']);
});

test('a first sign-in ends nothing', () => {
  const { scope, ended } = setUp();
  scope.follow(null, false);
  scope.follow('alice', false);
  expect({ ended, generation: scope.generation.getSnapshot() }).toEqual({ ended: [], generation: 0 });
});
