import { expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import { routes } from './routes.ts';

it('knows every call of the contract under its name, with its method and path', () => {
  const contract = Object.fromEntries(Object.entries(api).map(([name, { method, path }]) => [name, { method, path }]));
  expect(routes).toEqual(contract);
});
