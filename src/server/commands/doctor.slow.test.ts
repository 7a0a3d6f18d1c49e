import { describe, expect, test } from 'vitest';
import { runEarshot } from '#tests/support/run-earshot.ts';
import { hasS3, testBucket } from '#tests/support/test-bucket.ts';

/** The part of the environment that the configuration needs beside an object store. The doctor opens no database. */
const rest = { DATABASE_URL: 'postgres://ann@127.0.0.1:1/ear', SECRET_KEY: 'x'.repeat(32) };

describe.skipIf(!hasS3)('with an object store', () => {
  const bucket = testBucket();
  const doctor = (environment: Record<string, string>) =>
    runEarshot({ ...rest, ...bucket.environment(), ...environment }, 'doctor', '--storage');

  test('prints one line for each property of the store, and leaves nothing behind', async () => {
    const { code, output } = await doctor({});
    expect(output).toContain('The store has everything that Earshot needs.');
    expect(code).toBe(0);
    const lines = output.trim().split('\n');
    expect(lines.length).toBeGreaterThan(18);
    expect(lines.filter((line) => line.startsWith('MISSING'))).toEqual([]);
    expect(output).toMatch(/^ok {6}rejects a wrong secret \(SignatureDoesNotMatch\)$/m);
    expect(output).toMatch(/^ok {6}lists objects in pages \(2 pages\)$/m);
    expect(await bucket.contents()).toEqual([]);
  });

  test('names a missing bucket and wrong credentials, and ends with 1', async () => {
    for (const [environment, reason] of [
      [{ STORAGE_URL: bucket.environment()['STORAGE_URL']?.replace('earshot', 'other') ?? '' }, 'NotFound'],
      [{ S3_SECRET_ACCESS_KEY: 'another-secret' }, ''],
    ] as const) {
      const { code, output } = await doctor(environment);
      expect(output).toMatch(new RegExp(`^MISSING has the bucket and lets us in \\(.*${reason}`, 'm'));
      expect(code).toBe(1);
    }
  });
});
