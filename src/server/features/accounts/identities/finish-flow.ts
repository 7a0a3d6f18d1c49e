import type { ProviderIntent, ProviderSecondFactor, ProviderSignedIn } from '#contract/providers-api.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { SecondFactorWanted } from '#contract/accounts-api.ts';
import { notifyOfChange } from '#server/features/accounts/account-mail.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import {
  findIdentity,
  insertIdentity,
  touchIdentity,
} from '#server/features/accounts/credentials/identities-store.ts';
import { hasTotp } from '#server/features/accounts/credentials/totp-store.ts';
import { hasStrongerProof } from '#server/features/accounts/credentials/usable-credentials.ts';
import type { ProviderProfile, SignInProvider } from '#server/features/accounts/providers/provider.ts';
import { type Actor, changeAccount } from '#server/features/accounts/sessions/change-account.ts';
import { completeSignIn } from '#server/features/accounts/sign-in/complete-sign-in.ts';
import { retryOnConflict } from '#server/storage/database/retry-on-conflict.ts';
import { findOrCreateUser } from './find-or-create-user.ts';
import type { FlowOf } from './provider-flow.ts';
import { isPlaceholderName } from './profile-name.ts';
import { claimFlow, exchangeOf, starterOf, type Finish } from './claim-flow.ts';
import { problemOfProvider } from './provider-problem.ts';
import { type NewSignIn, callerOf, issueSession } from '#server/features/accounts/sessions/issue-session.ts';
import type { AccountsTransaction } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { IdentitiesDeps } from './identities-deps.ts';

const signInIntents: readonly ProviderIntent[] = ['sign-in', 'link', 'reauthenticate'];

type SignInFlow = FlowOf<ProviderIntent>;

/** The result of a flow: a session, or a second-factor challenge. */
interface FlowOutcome {
  signIn: NewSignIn | SecondFactorWanted;
  created: boolean;
  linked: boolean;
  needsName?: boolean;
}

/** The signed-in user who started a flow and must finish it in the same session. */
interface Starter extends Actor {
  provider: string;
}

async function addIdentity(
  deps: IdentitiesDeps,
  transaction: AccountsTransaction,
  given: Starter & { profile: ProviderProfile },
): Promise<boolean> {
  const {
    profile,
    provider,
    ip,
    principal: { userId },
  } = given;
  const nowMs = deps.clock.nowMs();
  const identity = await findIdentity(transaction, profile);
  if (identity && identity.user_id !== userId) throw new ProblemError('identity-linked-elsewhere');
  if (identity) {
    await touchIdentity(transaction, identity.id, { profile, nowMs });
    return false;
  }
  await insertIdentity(transaction, profile, { userId, provider, nowMs });
  await recordEvent(transaction, deps.clock, {
    action: 'identity.linked',
    actorId: userId,
    subject: userId,
    ip,
    detail: { provider },
  });
  await notifyOfChange(deps, transaction, { userId, change: 'identity-linked' });
  return true;
}

/**
 * Links a provider account to the signed-in user. Linking again changes nothing. Neither the address nor the name
 * is copied.
 * @throws identity-linked-elsewhere (409) if another user has the identity, because accounts are never merged
 */
async function linkIdentity(
  deps: IdentitiesDeps,
  profile: ProviderProfile,
  starter: Starter,
): Promise<FlowOutcome> {
  const { signIn, result: linked } = await retryOnConflict(deps.database, () =>
    changeAccount(deps, starter, (transaction) => addIdentity(deps, transaction, { ...starter, profile })),
  );
  deps.queue.wake();
  return { signIn, created: false, linked };
}

/**
 * Accepts a fresh sign-in at a linked provider as proof of the signed-in user.
 * @throws link-not-found (404) for any other account of the provider
 * @throws second-factor-required (403) if the user has two-step sign-in, because one factor is not sufficient
 * @throws provider-not-enough (403) if the provider does not report when the user signed in and a stronger proof
 * exists
 */
async function proveIdentity(
  context: IdentitiesDeps,
  profile: ProviderProfile,
  { provider, principal, ip, isTimed }: Starter & { isTimed: boolean },
): Promise<FlowOutcome> {
  const proof = { method: provider, isSecondFactor: false };
  const { signIn } = await changeAccount(context, { principal, ip, proof }, async (transaction) => {
    const identity = await findIdentity(transaction, profile);
    if (identity?.user_id !== principal.userId) throw new ProblemError('link-not-found');
    if (await hasTotp(transaction, principal.userId)) throw new ProblemError('second-factor-required');
    if (!isTimed && (await hasStrongerProof(transaction, principal.userId)))
      throw new ProblemError('provider-not-enough');
    await touchIdentity(transaction, identity.id, { profile, nowMs: context.clock.nowMs() });
  });
  return { signIn, created: false, linked: false };
}

async function profileOf(
  context: IdentitiesDeps,
  provider: SignInProvider,
  finish: Finish & { flow: SignInFlow; browser: string },
): Promise<ProviderProfile> {
  const { request } = finish;
  const where = { request, provider: provider.id };
  const profile = await provider.identify(exchangeOf(context, provider, finish)).catch((failure: unknown) => {
    throw problemOfProvider(failure, where);
  });
  if (profile.warning !== undefined)
    request.log.warn(
      { provider: provider.id, failure: profile.warning },
      'a provider proved a user, but did not report everything about them',
    );
  return profile;
}

async function signIn(
  context: IdentitiesDeps,
  given: { flow: SignInFlow; profile: ProviderProfile; finish: Finish; signInProvider: SignInProvider },
): Promise<FlowOutcome> {
  const {
    flow,
    profile,
    finish: { request, reply, ip },
    signInProvider: { name: providerName },
  } = given;
  const { user, created } = await findOrCreateUser(context, profile, {
    provider: flow.provider,
    providerName,
    locale: flow.locale,
    ip,
    isSetUp: flow.is_set_up === 1,
  });
  const first = {
    user,
    method: flow.provider,
    remember: flow.remember === 1,
    caller: callerOf({ request, ip }, context.cookies),
    nameBrowser: () => context.cookies.nameFlowBrowser(request, reply),
    provenBy: { kind: 'identity' as const, issuer: profile.issuer, subject: profile.subject },
  };
  const completed = await completeSignIn(context, first);
  if (!completed) throw new ProblemError('link-not-found');
  return {
    signIn: completed,
    created,
    linked: false,
    needsName: isPlaceholderName(user.display_name, providerName, user.locale),
  };
}

/** Signs in, links or reauthenticates, according to the intent of the flow. */
async function carryOut(
  context: IdentitiesDeps,
  given: {
    flow: SignInFlow;
    profile: ProviderProfile;
    finish: Finish;
    principal: SessionPrincipal | null;
    signInProvider: SignInProvider;
  },
): Promise<FlowOutcome> {
  const {
    flow: { intent, provider },
    profile,
    principal,
    finish: { ip },
  } = given;
  if (principal === null) return signIn(context, given);
  if (intent === 'link') return linkIdentity(context, profile, { provider, principal, ip });
  return proveIdentity(context, profile, {
    provider,
    principal,
    ip,
    isTimed: await given.signInProvider.provesSignInTime(),
  });
}

async function finish(
  context: IdentitiesDeps,
  provider: SignInProvider,
  given: Finish,
): Promise<{ outcome: FlowOutcome; flow: SignInFlow }> {
  const { flow, browser } = await claimFlow(context, provider.id, { ...given, intents: signInIntents });
  const principal = await starterOf(context, flow, given.request);
  const profile = await profileOf(context, provider, { ...given, flow, browser });
  return {
    outcome: await carryOut(context, { flow, profile, finish: given, principal, signInProvider: provider }),
    flow,
  };
}

async function recordRejection(
  context: IdentitiesDeps,
  provider: string,
  given: { error: unknown; ip: string },
): Promise<void> {
  const reason = given.error instanceof ProblemError ? given.error.code : 'internal';
  await recordEvent(context.database.queries, context.clock, {
    action: 'session.refused',
    actorId: null,
    subject: null,
    ip: given.ip,
    detail: { reason, provider },
  });
}

/**
 * Finishes a flow with the provider's response: consumes the flow, redeems the code, then signs in, links or
 * reauthenticates.
 * @throws the problems of the route's contract; each is recorded in the audit log
 */
export async function finishFlow(
  context: IdentitiesDeps,
  provider: SignInProvider,
  given: Finish,
): Promise<ProviderSignedIn | ProviderSecondFactor> {
  try {
    const {
      outcome: { signIn: started, created, linked, needsName = false },
      flow,
    } = await finish(context, provider, given);
    if ('next' in started) return { ...started, returnTo: flow.return_to };
    return {
      ...issueSession(context, started, given.reply),
      intent: flow.intent,
      created,
      linked,
      needsName,
      returnTo: flow.return_to,
    };
  } catch (error) {
    await recordRejection(context, provider.id, { error, ip: given.ip });
    throw error;
  }
}
