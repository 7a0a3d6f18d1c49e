import { expect, test } from 'vitest';
import { api } from './api.ts';
import { linkRoutes } from './link-routes.ts';
import { pathOf } from './route-text.ts';
import { routeOf, routes } from './routes.ts';

test('names every endpoint of the contract by its export', () => {
  const contract = Object.fromEntries(
    Object.entries(api).map(([name, { method, path }]) => [name, `${method} ${path}`]),
  );
  expect(contract).toEqual({ ...routes, ...linkRoutes });
});

test('fills and percent-encodes the parameters of a path', () => {
  expect(pathOf(routeOf('changeMarker'), { recordingId: 'a/b', markerId: 'ä' })).toBe(
    '/api/recordings/a%2Fb/markers/%C3%A4',
  );
  expect(() => pathOf(routeOf('getAudio'), {})).toThrow(':recordingId');
});

test('contains no two endpoints with the same method and path', () => {
  const shapes = [...Object.values(routes), ...Object.values(linkRoutes)].map((route) =>
    route.replaceAll(/:\w+/g, ':id'),
  );
  expect(new Set(shapes).size).toBe(shapes.length);
});
