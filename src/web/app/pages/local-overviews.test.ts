import { expect, test } from 'vitest';
import { userScope } from '#web/api/user-scope.ts';
import { localOverviews } from './local-overviews.ts';

const take = { id: 'a', durationMs: 20 };

test('caches the thumbnail of a take until the session ends', () => {
  userScope.follow('ana', false);
  const first = localOverviews(take);
  expect(localOverviews(take)).toBe(first);
  userScope.follow(null, false);
  expect(localOverviews(take)).not.toBe(first);
});
