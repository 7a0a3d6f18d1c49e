import { describe, expect, test } from 'vitest';
import { titleSchema } from '#contract/values.ts';
import { cleanTitle } from './clean-title.ts';

describe('a typed title', () => {
  test('is trimmed, and null if it is blank', () => {
    expect(cleanTitle('  Rosa  ')).toBe('Rosa');
    expect(cleanTitle(' \t ')).toBeNull();
  });

  test('loses control characters and direction overrides', () => {
    expect(titleSchema.safeParse(cleanTitle('a\u202eb\u0007c')).success).toBe(true);
  });

  test('is truncated to the maximum length between characters', () => {
    expect(cleanTitle('🎙'.repeat(300))).toBe('🎙'.repeat(200));
  });
});
