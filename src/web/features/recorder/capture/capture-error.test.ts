import { describe, expect, test } from 'vitest';
import { CaptureError, rejectionReasonOf, rejectionReasonOfFailure } from './capture-error.ts';

describe('why the microphone did not open', () => {
  test.each([
    ['NotAllowedError', 'microphone-refused'],
    ['NotFoundError', 'microphone-missing'],
    ['OverconstrainedError', 'microphone-missing'],
    ['NotReadableError', 'microphone-busy'],
    ['Whatever', 'internal'],
  ])('%s is %s', (name, reason) => {
    expect(rejectionReasonOf(new DOMException('', name))).toBe(reason);
  });

  test('a refusal keeps its own reason', () => {
    expect(rejectionReasonOf(new CaptureError('insecure-page'))).toBe('insecure-page');
  });

  test.each([
    ['storage-refused', 'storage-refused'],
    ['storage-full', 'storage-full'],
    ['encoder-missing', 'encoder-missing'],
    ['locked', 'internal'],
  ] as const)('a worker that fails with %s refuses with %s', (code, reason) => {
    expect(rejectionReasonOfFailure(code)).toBe(reason);
  });
});
