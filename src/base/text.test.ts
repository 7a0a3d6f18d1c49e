import { expect, test } from 'vitest';
import { latinDigits } from './text.ts';

test.each([
  ['ar', '٠١٢٣٤٥٦٧٨٩'],
  ['fa', '۰۱۲۳۴۵۶۷۸۹'],
  ['hi', '०१२३४५६७८९'],
  ['bn', '০১২৩৪৫৬৭৮৯'],
  ['th', '๐๑๒๓๔๕๖๗๘๙'],
  ['ja, full width', '０１２３４５６７８９'],
  ['en', '0123456789'],
])('a code typed in the digits of %s is the same code', (_, typed) => {
  expect(latinDigits(typed)).toBe('0123456789');
});

test('what is no digit of a keyboard stays as it was typed', () => {
  expect(latinDigits('ab-cd ٣٤ ½ ² Ⅳ 𝟘')).toBe('ab-cd 34 ½ ² Ⅳ 𝟘');
});
