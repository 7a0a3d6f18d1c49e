import { expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { isAuthCall } from './request.ts';

test('auth calls are the public calls below /auth/ and the calls for a recent proof', () => {
  const found = Object.values(api)
    .filter(({ path }) => isAuthCall(path.replaceAll(/:\w+/g, 'x')))
    .map(({ path }) => path);
  const expected = Object.values(api)
    .filter(
      ({ path, access }) =>
        path.startsWith('/auth/') && (access === 'anyone' || path.startsWith('/auth/reauthenticate')),
    )
    .map(({ path }) => path);
  expect(found).toEqual(expected);
});
