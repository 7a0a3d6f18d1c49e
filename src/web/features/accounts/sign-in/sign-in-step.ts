import type { CodeSent, SecondFactorWanted } from '#contract/accounts-api.ts';
import type { Provider } from '#contract/providers-api.ts';

export type SecondFactorQuestion = Pick<SecondFactorWanted, 'flow' | 'methods' | 'passkey'>;

/** What stands in the place of the two forms once one of them was answered. */
export type SignInStep =
  | { at: 'second-factor'; wanted: SecondFactorQuestion }
  | { at: 'sign-up-code'; sent: CodeSent; email: string }
  | { at: 'forgot'; email: string }
  | { at: 'account-exists'; provider: Provider; methods: readonly string[] };

type Method = SecondFactorWanted['methods'][number];
const known = new Set<string>(['totp', 'recovery-code', 'passkey'] satisfies Method[]);

/**
 * A provider's flow names the methods alone; a passkey then has no question yet, and the other ways are
 * there.
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
