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

/** Whether a user signs in in two steps. */
export async function hasTotp(queries: Queries, userId: string): Promise<boolean> {
  return (
    (await queries.selectFrom('totp').select('user_id').where('user_id', '=', userId).executeTakeFirst()) !==
    undefined
  );
}

/** Turns two-step sign-in on. A second secret for one user is a broken unique constraint. */
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
 * Takes a code of a user's app: each counts once (ASVS 6.5.1), also where two requests bring it at the same
 * moment.
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
  // Sealed under a key that is lost since: no code fits it any more.
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

/** Turns two-step sign-in off; false where it was. */
export async function removeTotp(queries: Queries, userId: string): Promise<boolean> {
  await queries.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  return (
    (await queries.deleteFrom('totp').where('user_id', '=', userId).executeTakeFirstOrThrow())
      .numDeletedRows > 0n
  );
}

/** What people type in place of letters and around groups does not matter; base 32 has neither 0 nor 1. */
const readable = (code: string): string =>
  code
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replaceAll('0', 'O')
    .replaceAll('1', 'I');

/** 120 random bits need no slow hash (ASVS 6.5.2). */
const codeHashOf = (code: string): string => hashOf(readable(code));

/**
 * Makes ten recovery codes in the place of those before, and answers with them in groups of four; they are
 * shown this once.
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

/** Uses a recovery code up; false where it is none, or was used. */
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

/** How many recovery codes are left. */
export async function countRecoveryCodes(queries: Queries, userId: string): Promise<number> {
  return (
    await queries.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', userId).execute()
  ).length;
}
