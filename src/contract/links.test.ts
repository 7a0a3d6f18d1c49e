import { expect, test } from 'vitest';
import { listeningPathOf, signInUrlFor } from './links.ts';

const linkPath = '/s/2345678abcdefghjkmnpqr';

test('a sign-in page leads back to the link that sent its listener there', () => {
  expect(listeningPathOf(signInUrlFor(linkPath))).toBe(linkPath);
});

test.each([
  '/sign-in',
  '/sign-in?to=',
  '/sign-in?to=/library',
  '/sign-in?to=//evil.example/s/2345678abcdefghjkmnpqr',
  '/sign-in?to=https://evil.example/s/2345678abcdefghjkmnpqr',
  '/sign-in?to=/s/2345678abcdefghjkmnpqr/../../evil',
  '/sign-in?to=/s/%32345678abcdefghjkmnpqr%0d',
  '/sign-in?to=/s/short',
])('%s leads to no link', (url) => {
  expect(listeningPathOf(url)).toBeNull();
});
