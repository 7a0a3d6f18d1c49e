import { expect, test } from 'vitest';
import { cookieName, sessionCookieName } from './session-cookie.ts';

test.each([
  ['https://ear.example', '__Host-Http-sid'],
  ['https://ear.example:443', '__Host-Http-sid'],
  ['https://ear.example:8443', '__Host-Http-sid-8443'],
  ['http://localhost', 'sid'],
  ['http://localhost:3000', 'sid-3000'],
  ['http://[::1]:3001', 'sid-3001'],
])('at %s the session cookie is named %s', (publicUrl, name) => {
  expect(sessionCookieName(publicUrl)).toBe(name);
});

test('gives two installations on one host different cookie names', () => {
  const names = [
    'http://nas',
    'http://nas:3000',
    'http://nas:3001',
    'https://nas',
    'https://nas:8443',
  ].flatMap((url) => ['sid', 'device', 'flow'].map((name) => cookieName(name, url)));
  expect(new Set(names).size).toBe(names.length);
});
