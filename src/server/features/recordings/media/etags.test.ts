import { expect, test } from 'vitest';
import { etagsOfRecording, etagsOfShare } from './etags.ts';

const key = new Uint8Array(32).fill(7);
const fingerprint = '1024-abc';

test('an owner’s ETag names the recording', () => {
  expect(etagsOfRecording({ id: '018f' })(fingerprint)).toBe('"018f-1024-abc"');
});

test('S14: a share’s ETag shows neither the recording nor its size, and two shares have nothing in common', () => {
  const [one, other] = [etagsOfShare(key, 'one'), etagsOfShare(key, 'other')];
  expect(one(fingerprint)).toMatch(/^"[\w-]{22}"$/);
  expect(one(fingerprint)).not.toBe(other(fingerprint));
  expect(one(fingerprint)).not.toBe(etagsOfShare(new Uint8Array(32), 'one')(fingerprint));
});

test('a share’s ETag is the same for the same bytes and differs for others', () => {
  const etagOf = etagsOfShare(key, 'one');
  expect(etagOf(fingerprint)).toBe(etagsOfShare(key, 'one')(fingerprint));
  expect(etagOf(fingerprint)).not.toBe(etagOf('1024-abd'));
});
