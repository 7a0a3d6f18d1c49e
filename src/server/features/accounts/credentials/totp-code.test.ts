import { describe, expect, it } from 'vitest';
import { base32Of, matchingStep, otpauthUrl, totpCode, totpStepAt } from './totp-code.ts';

/** The secret of RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890');

describe('a code of an authenticator app', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at second %d is the last six digits of the value in RFC 6238', (seconds, printed) => {
    expect(totpCode(secret, totpStepAt(seconds * 1000))).toBe(printed.slice(-6));
  });

  it('is valid in its own time step and the next one only', () => {
    const step = 50_000_000;
    const at = (steps: number) =>
      matchingStep(secret, totpCode(secret, step), { nowMs: (step + steps) * 30_000, lastStep: 0 });
    expect([at(-1), at(0), at(1), at(2)]).toEqual([null, step, step, null]);
  });

  it('ASVS 6.5.1: is valid once, and no older one after it', () => {
    const step = 50_000_000;
    const nowMs = step * 30_000;
    expect(matchingStep(secret, totpCode(secret, step), { nowMs, lastStep: step })).toBeNull();
    expect(matchingStep(secret, totpCode(secret, step - 1), { nowMs, lastStep: step })).toBeNull();
  });

  it.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦'])('is not %j', (code) => {
    expect(matchingStep(secret, code, { nowMs: 1_500_000_000_000, lastStep: 0 })).toBeNull();
  });
});

describe('the base32 secret', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('of %j is %s, as RFC 4648 states without padding', (text, printed) => {
    expect(base32Of(Buffer.from(text))).toBe(printed);
  });

  it('is in an otpauth URL that apps can read, for any account name', () => {
    const url = new URL(otpauthUrl(secret, 'Ann & Bo?@example.org'));
    expect([url.protocol, url.searchParams.get('secret'), url.searchParams.get('issuer')]).toEqual([
      'otpauth:',
      base32Of(secret),
      'Earshot',
    ]);
  });
});
