import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProviderFlow, TestSignInResult } from '#contract/providers-api.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { masked, type SignInObserver } from '#server/features/accounts/providers/observe-sign-in.ts';
import {
  ProviderError,
  type ProviderProfile,
  type SignInProvider,
} from '#server/features/accounts/providers/provider.ts';
import { claimFlow, exchangeOf, starterOf, type Finish } from './claim-flow.ts';
import { rehearseSignIn } from './find-or-create-user.ts';
import type { IdentitiesDeps } from './identities-deps.ts';
import { isPlaceholderName } from './profile-name.ts';
import { problemOfProvider } from './provider-problem.ts';
import { openFlow } from './start-flow.ts';

/**
 * Starts a test sign-in, which is bound to the administrator's session and browser.
 * @throws the problems of `openFlow`
 */
export const startTestSignIn = (
  context: IdentitiesDeps,
  provider: SignInProvider,
  given: { principal: SessionPrincipal; request: FastifyRequest; reply: FastifyReply },
): Promise<ProviderFlow> =>
  openFlow(context, provider, {
    display: 'test',
    request: given.request,
    reply: given.reply,
    purpose: () => ({
      intent: 'test',
      user_id: given.principal.userId,
      session_id: given.principal.sessionId,
      remember: 0,
      is_set_up: 0,
      locale: null,
      return_to: '/',
    }),
  });

type Outcome = TestSignInResult['outcome'];

const detailLength = 400;

/** The error that a user would get, and what an administrator needs to know about it. */
function rejection(error: unknown, { body }: Finish, redact: SignInObserver['redact']): Outcome {
  if (!(error instanceof ProblemError)) throw error;
  const { cause, code } = error;
  const said = [body.error, body.error_description].filter(Boolean).join(': ');
  const detail = cause instanceof ProviderError ? cause.message : said;
  return { result: 'refused', code, detail: detail === '' ? null : redact(detail).slice(0, detailLength) };
}

/** What a sign-in of this profile would do, without doing it. */
async function outcomeOf(
  context: IdentitiesDeps,
  profile: ProviderProfile,
  given: { provider: SignInProvider; ip: string },
): Promise<Outcome> {
  const { id, name: providerName } = given.provider;
  const { user, created, needsSecondFactor } = await rehearseSignIn(context, profile, {
    provider: id,
    providerName,
    locale: null,
    ip: given.ip,
    isSetUp: false,
  });
  const account = { displayName: user.display_name, email: user.email };
  return created
    ? { result: 'creates', account, needsName: isPlaceholderName(user.display_name, providerName, null) }
    : { result: 'signs-in', account, needsSecondFactor };
}

/** The profile without secrets, which a provider could report as a name. */
function redacted(profile: ProviderProfile, redact: SignInObserver['redact']): ProviderProfile {
  const clean = (text: string | null): string | null => (text === null ? null : redact(text));
  const { name, label, email, provenEmail, warning } = profile;
  return {
    ...profile,
    name: clean(name),
    label: clean(label),
    email: clean(email),
    provenEmail: clean(provenEmail),
    ...(warning === undefined ? {} : { warning: redact(warning) }),
  };
}

/** Redeems the code. Failures are logged without secrets, which a provider's message can quote. */
async function identify(
  context: IdentitiesDeps,
  { provider, observer }: { provider: SignInProvider; observer: SignInObserver },
  finish: Parameters<typeof exchangeOf>[2],
): Promise<ProviderProfile> {
  const exchange = exchangeOf(context, provider, finish);
  observer.addSecrets(exchange);
  return provider.identify(exchange).catch((error: unknown) => {
    throw problemOfProvider(
      error instanceof ProviderError
        ? new ProviderError(error.reason, observer.redact(error.message), error.cause)
        : error,
      { request: finish.request, provider: provider.id },
    );
  });
}

/**
 * Finishes a test sign-in: redeems the code as a sign-in does, and reports what the provider said and what a sign-in
 * would do. It starts no session and changes no account. The result is stored nowhere.
 * @throws oauth-state-mismatch (400), oauth-flow-expired (410), principal-changed (409): the response is of no test
 * that this session started, or was used before
 */
export async function finishTestSignIn(
  context: IdentitiesDeps,
  id: string,
  finish: Finish,
): Promise<TestSignInResult> {
  const test = context.providers.observed(id);
  if (!test) throw new ProblemError('provider-unknown');
  const claimed = await claimFlow(context, id, { ...finish, intents: ['test'] });
  await starterOf(context, claimed.flow, finish.request);
  const { observer } = test;
  let profile: ProviderProfile | null = null;
  let outcome: Outcome;
  try {
    profile = redacted(await identify(context, test, { ...finish, ...claimed }), observer.redact);
    outcome = await outcomeOf(context, profile, { provider: test.provider, ip: finish.ip });
  } catch (error) {
    outcome = rejection(error, finish, observer.redact);
  }
  return {
    outcome,
    ...observer.observed(),
    profile: profile && {
      issuer: profile.issuer,
      subject: masked(profile.subject),
      name: profile.name,
      email: profile.email,
      isEmailVerified: profile.provenEmail !== null,
    },
    warning: profile?.warning ?? null,
  };
}
