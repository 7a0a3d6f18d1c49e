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
])('reads a code typed in the digits of %s', (_, typed) => {
  expect(latinDigits(typed)).toBe('0123456789');
});

test('leaves other characters unchanged', () => {
  expect(latinDigits('ab-cd ٣٤ ½ ² Ⅳ 𝟘')).toBe('ab-cd 34 ½ ² Ⅳ 𝟘');
});
