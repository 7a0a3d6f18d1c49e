import type { CodeSent, SecondFactorWanted } from '#contract/accounts-api.ts';
import type { Provider } from '#contract/providers-api.ts';

export type SecondFactorQuestion = Pick<SecondFactorWanted, 'flow' | 'methods' | 'passkey'>;

/** The step that replaces the first form once it has been submitted. */
export type SignInStep =
  | { at: 'second-factor'; wanted: SecondFactorQuestion }
  | { at: 'sign-up-code'; sent: CodeSent; email: string }
  | { at: 'forgot'; email: string }
  | { at: 'account-exists'; provider: Provider; methods: readonly string[] };

type Method = SecondFactorWanted['methods'][number];
const known = new Set<string>(['totp', 'recovery-code', 'passkey'] satisfies Method[]);

/**
 * Selects the usable methods. A provider's flow only names them, without a challenge for a passkey, so that a
 * passkey is then not offered.
 */
export function secondFactorOf(reply: {
  flow: string;
  methods: readonly string[];
  passkey?: SecondFactorWanted['passkey'];
}): SecondFactorQuestion {
  const passkey = reply.passkey ?? null;
  const isUsable = (method: string): method is Method =>
    known.has(method) && (method !== 'passkey' || passkey !== null);
  return { flow: reply.flow, methods: reply.methods.filter(isUsable), passkey };
}
