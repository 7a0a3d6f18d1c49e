import type { CredentialsDeps } from '#server/features/accounts/credentials/credentials-deps.ts';
import type { SignUpQuota } from '#server/features/usage/sign-up-quota.ts';

/** Decides whether a sign-up may create an account. */
export interface SignUpPolicy {
  signUp: 'open' | 'closed';
  signUpQuota: SignUpQuota;
  /** The set-up code that the first account must provide; null if only this machine can reach the server. */
  setUpCode: string | null;
}

/** The dependencies of completing a sign-in after the first factor. */
export type CompleteSignInDeps = Pick<
  CredentialsDeps,
  'database' | 'clock' | 'takes' | 'flows' | 'throttle' | 'ceiling' | 'ceremony'
>;

/** The dependencies of signing up, in and out. Each file picks those it uses. */
export type SignInDeps = CompleteSignInDeps &
  SignUpPolicy &
  Pick<
    CredentialsDeps,
    'cookies' | 'queue' | 'mail' | 'hasMail' | 'passwords' | 'secrets' | 'onSessionEnded'
  >;
