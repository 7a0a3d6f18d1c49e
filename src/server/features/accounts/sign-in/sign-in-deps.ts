import type { CredentialsDeps } from '#server/features/accounts/credentials/credentials-deps.ts';

/** What decides whether a sign-up may make an account. */
export interface SignUpPolicy {
  signUp: 'open' | 'closed';
  /** What the first account has to bring; null where only this machine can reach the installation. */
  setUpCode: string | null;
}

/** The dependencies of every sign-in once the first factor was right. */
export type CompleteSignInDeps = Pick<
  CredentialsDeps,
  'database' | 'clock' | 'flows' | 'throttle' | 'ceiling' | 'ceremony'
>;

/** The dependencies of signing up, in and out; each file picks those that it uses. */
export type SignInDeps = CompleteSignInDeps &
  SignUpPolicy &
  Pick<
    CredentialsDeps,
    'cookies' | 'queue' | 'mail' | 'hasMail' | 'passwords' | 'secrets' | 'onSessionEnded'
  >;
