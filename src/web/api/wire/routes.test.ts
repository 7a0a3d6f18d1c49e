import { expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import { accountRoutes } from './account-routes.ts';
import { isAuthCall } from './auth-calls.ts';
import { laterRoutes } from './later-routes.ts';
import { routes } from './routes.ts';

it('knows every call of the contract under its name, with its method and path', () => {
  const contract = Object.fromEntries(
    Object.entries(api).map(([name, { method, path }]) => [name, { method, path }]),
  );
  expect({ ...routes, ...accountRoutes, ...laterRoutes }).toEqual(contract);
});

it('takes for calls that sign in or out those, and only those, that below /auth/ can be made by anyone, and a fresh proof', () => {
  const taken = Object.values(api)
    .filter(({ path }) => isAuthCall(path.replaceAll(/:\w+/g, 'x')))
    .map(({ path }) => path);
  const meant = Object.values(api)
    .filter(
      ({ path, access }) =>
        path.startsWith('/auth/') && (access === 'anyone' || path.startsWith('/auth/reauthenticate')),
    )
    .map(({ path }) => path);
  expect(taken).toEqual(meant);
});
