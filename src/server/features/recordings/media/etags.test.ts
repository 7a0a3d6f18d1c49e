import { expect, test } from 'vitest';
import { etagsOfRecording } from './etags.ts';

test('an owner’s ETag names the recording', () => {
  expect(etagsOfRecording({ id: '018f' })('1024-abc')).toBe('"018f-1024-abc"');
});
