import { z } from 'zod';
import { minute } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import type { SecondFactorWanted } from '#contract/accounts-api.ts';
import type { UserRow } from '../../../storage/database/schema.ts';
import type { Caller, NewSignIn } from '../accounts-context.ts';
import { listPasskeys } from '../passkeys/passkeys-store.ts';
import type { AccountsRoutesDeps } from '../present.ts';
import { replaceSession } from '../sessions/replace-session.ts';
import { countRecoveryCodes, hasTotp } from '../totp/totp-store.ts';

const secondFactorMs = 10 * minute;
const secondFactorTries = 5;

/** What a sign-in that waits for its second factor has to know. */
export const secondFactorDataSchema = z.object({ userId: z.string(), method: z.string(), remember: z.boolean(), challenge: z.string().nullable() });

/** A person whose first factor was right. */
export interface FirstFactor {
  user: UserRow;
  /** `password`, or the id of a provider. */
  method: string;
  remember: boolean;
  caller: Caller;
  /** Names the browser, `cookies.nameFlowBrowser`, where a step follows. */
  nameBrowser: () => string;
  /** Where the first factor was a password: its hash, so that the device is known from now on. */
  passwordHash: string | null;
}

async function askSecondFactor(deps: AccountsRoutesDeps, { user, method, remember, nameBrowser }: FirstFactor): Promise<SecondFactorWanted> {
  const { queries } = deps.database;
  const passkeys = await listPasskeys(queries, user.id);
  const passkey = passkeys.length === 0 ? null : deps.ceremony.request({ known: passkeys, userVerification: 'preferred' });
  const { token, expiresAtMs } = await deps.flows.begin(queries, {
    kind: 'second-factor', browser: nameBrowser(), userId: user.id, lifeMs: secondFactorMs, tries: secondFactorTries,
    data: { userId: user.id, method, remember, challenge: passkey?.challenge ?? null } satisfies z.input<typeof secondFactorDataSchema>,
  });
  const recoveryCodes = await countRecoveryCodes(queries, user.id);
  return {
    next: 'mfa', flow: token, methods: ['totp', ...(passkey ? ['passkey' as const] : []), ...(recoveryCodes > 0 ? ['recovery-code' as const] : [])],
    passkey, expiresAt: instantOf(expiresAtMs),
  };
}

/**
 * Signs a person in whose first factor was right, or asks for the second one where the account has two-step sign-in: on every way in alike
 * (ASVS 6.3.4). Hand the answer on by `handOut` where it has a token, else as it is.
 */
export async function completeSignIn(deps: AccountsRoutesDeps, first: FirstFactor): Promise<NewSignIn | SecondFactorWanted> {
  if (await hasTotp(deps.database.queries, first.user.id)) return askSecondFactor(deps, first);
  const { user, remember, caller, method, passwordHash } = first;
  const signIn = await deps.database.transaction(async (transaction) => {
    // Whoever comes in another way than by password has its failures forgotten.
    await deps.ceiling.clear(transaction, user.email_key);
    return replaceSession(deps, transaction, { userId: user.id, remember, caller, proof: { method, isSecondFactor: false } });
  });
  deps.throttle.forgetAccount(user.email_key);
  return { ...signIn, user, passwordHash };
}
