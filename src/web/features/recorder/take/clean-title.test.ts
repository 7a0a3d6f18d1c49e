import { describe, expect, test } from 'vitest';
import { titleSchema } from '#contract/values.ts';
import { cleanTitle } from './clean-title.ts';

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
