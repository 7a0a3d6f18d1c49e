import { i18n } from '@lingui/core';
import { beforeEach, describe, expect, test } from 'vitest';
import { titleSchema } from '#contract/values.ts';
import { cleanTitle, defaultTitle } from './default-title.ts';

const atMs = new Date(2026, 10, 21, 14, 2).getTime();

describe('the title of a new take', () => {
  beforeEach(() => { i18n.loadAndActivate({ locale: 'en', messages: {} }); });

  test('carries date and time', () => {
    expect(defaultTitle(atMs)).toContain('2026');
    expect(defaultTitle(atMs)).toMatch(/02/);
  });

  test.each(['en', 'de', 'ar', 'fa', 'he'])('is one the server accepts (%s)', (locale) => {
    i18n.loadAndActivate({ locale, messages: {} });
    expect(titleSchema.safeParse(defaultTitle(atMs)).success).toBe(true);
  });
});

describe('a title as typed', () => {
  test('is trimmed, and nothing remains of nothing', () => {
    expect(cleanTitle('  Rosa  ')).toBe('Rosa');
    expect(cleanTitle(' \t ')).toBeNull();
  });

  test('loses control characters and direction overrides', () => {
    expect(titleSchema.safeParse(cleanTitle('a\u202eb\u0007c')).success).toBe(true);
  });

  test('is cut at the longest title, between characters', () => {
    expect(cleanTitle('🎙'.repeat(300))).toBe('🎙'.repeat(200));
  });
});
