import type { SignInMethods } from '#contract/accounts-api.ts';
import type { UserRow } from '#server/storage/database/schema.ts';
import { newEmailSchema } from '#server/features/accounts/credentials/change-email.ts';
import type { SignInDeps } from './sign-in-deps.ts';

/** The ways in which a user can sign in and reauthenticate. */
export async function methodsOf(
  deps: Pick<SignInDeps, 'database' | 'hasMail' | 'flows'>,
  user: UserRow,
): Promise<SignInMethods> {
  const { queries } = deps.database;
  const counted = await queries
    .selectNoFrom((eb) => [
      eb
        .selectFrom('credentials')
        .where('user_id', '=', user.id)
        .where('kind', '=', 'password')
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('passwords'),
      eb
        .selectFrom('totp')
        .where('user_id', '=', user.id)
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('totp'),
      eb
        .selectFrom('recovery_codes')
        .where('user_id', '=', user.id)
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('recovery_codes'),
      eb
        .selectFrom('passkeys')
        .where('user_id', '=', user.id)
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('passkeys'),
      eb
        .selectFrom('identities')
        .where('user_id', '=', user.id)
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('identities'),
    ])
    .executeTakeFirstOrThrow();
  const [hasPassword, hasTotp, passkeyCount] = [
    Number(counted.passwords) > 0,
    Number(counted.totp) > 0,
    Number(counted.passkeys),
  ];
  const pending = deps.hasMail
    ? await deps.flows.newestOf(queries, { userId: user.id, kind: 'email-change' }, newEmailSchema)
    : null;
  return {
    hasPassword,
    hasTotp,
    passkeyCount,
    recoveryCodesLeft: Number(counted.recovery_codes),
    identityCount: Number(counted.identities),
    pendingEmail: pending?.email ?? null,
    reauthenticateBy: [
      ...(hasPassword && !hasTotp ? ['password' as const] : []),
      ...(hasTotp ? ['totp' as const] : []),
      ...(passkeyCount > 0 ? ['passkey' as const] : []),
    ],
  };
}
