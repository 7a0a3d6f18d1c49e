import { randomBytes } from 'node:crypto';
import type { Queries } from '#server/storage/database/database.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import { typedDigits } from '#server/features/accounts/challenges/auth-flows.ts';
import { base32Of, matchingStep } from './totp-code.ts';
import type { CredentialsDeps } from './credentials-deps.ts';

const recoveryCodes = 10;
const recoveryBytes = 15;
const sealPurpose = 'totp';

type Parts = Pick<CredentialsDeps, 'clock' | 'secrets'>;

/** Whether a user has two-step sign-in turned on. */
export async function hasTotp(queries: Queries, userId: string): Promise<boolean> {
  return (
    (await queries.selectFrom('totp').select('user_id').where('user_id', '=', userId).executeTakeFirst()) !==
    undefined
  );
}

/** Turns two-step sign-in on. Violates a unique constraint if it is already on. */
export async function storeTotp(
  queries: Queries,
  totp: { userId: string; secret: Uint8Array; step: number },
  { clock, secrets }: Parts,
): Promise<void> {
  await queries
    .insertInto('totp')
    .values({
      user_id: totp.userId,
      sealed_secret: secrets.seal(Buffer.from(totp.secret).toString('base64url'), sealPurpose),
      last_step: totp.step,
      created_at: clock.nowMs(),
    })
    .execute();
}

/**
 * Verifies a code of a user's authenticator app and consumes it: each code is accepted once (ASVS 6.5.1), even
 * from concurrent requests.
 */
export async function consumeTotpCode(
  queries: Queries,
  given: { userId: string; code: string },
  { clock, secrets }: Parts,
): Promise<boolean> {
  const row = await queries
    .selectFrom('totp')
    .select(['sealed_secret', 'last_step'])
    .where('user_id', '=', given.userId)
    .executeTakeFirst();
  if (!row) return false;
  // A secret encrypted with another key can't be read, so no code matches.
  const secret = secrets.open(row.sealed_secret, sealPurpose);
  const step =
    secret === null
      ? null
      : matchingStep(Buffer.from(secret, 'base64url'), typedDigits(given.code), {
          nowMs: clock.nowMs(),
          lastStep: row.last_step,
        });
  if (step === null) return false;
  const { numUpdatedRows } = await queries
    .updateTable('totp')
    .set({ last_step: step })
    .where('user_id', '=', given.userId)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Turns two-step sign-in off. Returns false if it was already off. */
export async function removeTotp(queries: Queries, userId: string): Promise<boolean> {
  await queries.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  return (
    (await queries.deleteFrom('totp').where('user_id', '=', userId).executeTakeFirstOrThrow())
      .numDeletedRows > 0n
  );
}

/** Ignores grouping, and reads 0 and 1 as O and I: base32 has neither digit. */
const readable = (code: string): string =>
  code
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replaceAll('0', 'O')
    .replaceAll('1', 'I');

/** A code has 120 random bits, so it needs no slow hash (ASVS 6.5.2). */
const codeHashOf = (code: string): string => hashOf(readable(code));

/**
 * Replaces the recovery codes with ten new ones and returns them in groups of four characters. They are shown only
 * once.
 */
export async function renewRecoveryCodes(queries: Queries, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    base32Of(randomBytes(recoveryBytes)).replaceAll(/.{4}(?=.)/g, '$&-'),
  );
  await queries.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await queries
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: codeHashOf(code) })))
    .execute();
  return codes;
}

/** Consumes a recovery code. Returns false if it is invalid or was already used. */
export async function consumeRecoveryCode(
  queries: Queries,
  given: { userId: string; code: string },
): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('recovery_codes')
    .where('user_id', '=', given.userId)
    .where('code_hash', '=', codeHashOf(given.code))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Returns how many recovery codes are left. */
export async function countRecoveryCodes(queries: Queries, userId: string): Promise<number> {
  return (
    await queries.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', userId).execute()
  ).length;
}
