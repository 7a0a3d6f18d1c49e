import type { SecondFactorWanted } from '#contract/accounts-api.ts';
import type { NewSignIn } from '#server/features/accounts/accounts-context.ts';

/** What a flow ends in: a session, or the question for a second factor. */
export interface FlowOutcome {
  signIn: NewSignIn | SecondFactorWanted;
  created: boolean;
  linked: boolean;
  needsName?: boolean;
}
