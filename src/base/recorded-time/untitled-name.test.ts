import { expect, test } from 'vitest';
import { momentOf, unknownTime } from './recorded-time.ts';
import { untitledName } from './untitled-name.ts';

test('names an untitled recording by its day and time where it was recorded, as far as they are known', () => {
  expect(untitledName(momentOf('2026-11-25T00:18:59.000Z', 'Europe/Berlin'))).toBe('2026-11-25 01.18');
  expect(untitledName({ kind: 'local', dateTime: '2024-05-17T14:03:05' })).toBe('2024-05-17 14.03');
  expect(untitledName({ kind: 'date', date: '2019-05' })).toBe('2019-05');
  expect(untitledName(unknownTime)).toBe('Recording');
});
