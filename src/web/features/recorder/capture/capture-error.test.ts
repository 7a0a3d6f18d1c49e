import { describe, expect, test } from 'vitest';
import { CaptureError, rejectionReasonOf, rejectionReasonOfFailure } from './capture-error.ts';

describe('the reason why capture could not start', () => {
  test.each([
    ['NotAllowedError', 'microphone-refused'],
    ['NotFoundError', 'microphone-missing'],
    ['OverconstrainedError', 'microphone-missing'],
    ['NotReadableError', 'microphone-busy'],
    ['Whatever', 'internal'],
  ])('maps %s to %s', (name, reason) => {
    expect(rejectionReasonOf(new DOMException('', name))).toBe(reason);
  });

  test('keeps the reason of a CaptureError', () => {
    expect(rejectionReasonOf(new CaptureError('insecure-page'))).toBe('insecure-page');
  });

  test.each([
    ['storage-refused', 'storage-refused'],
    ['storage-full', 'storage-full'],
    ['encoder-missing', 'encoder-missing'],
    ['locked', 'recording-elsewhere'],
    ['not-found', 'recording-gone'],
    ['internal', 'internal'],
  ] as const)('maps the worker failure %s to %s', (code, reason) => {
    expect(rejectionReasonOfFailure(code)).toBe(reason);
  });
});
