import { expect, test } from 'vitest';
import { regionalForm } from './local-dates.ts';

test('writes dates in the regional form that the reader prefers, in the language of the page', () => {
  expect(regionalForm('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(regionalForm('de', ['fr', 'en-GB'])).toBe('de');
  expect(regionalForm('zh-Hans', ['zh-TW', 'zh-CN'])).toBe('zh-CN');
});
