import { expect, test } from 'vitest';
import { needsSetUpCode } from './installation.ts';

test.each([
  ['127.0.0.1', 'http://localhost:3000', false],
  ['::1', 'http://127.0.0.1:3000', false],
  ['localhost', 'http://ear.localhost', false],
  ['0.0.0.0', 'http://localhost:3000', true],
  ['::', 'http://localhost:3000', true],
  ['192.0.2.7', 'http://localhost:3000', true],
  ['127.0.0.1', 'https://ear.example.org', true],
])(
  'the set-up code of a server that listens at %s and is reached at %s is needed: %s',
  (host, publicUrl, isNeeded) => {
    expect(needsSetUpCode({ host, publicUrl })).toBe(isNeeded);
  },
);
