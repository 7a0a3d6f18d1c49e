import type { FastifyReply, FastifyRequest } from 'fastify';
import { instantOf } from '#base/instant.ts';
import { minute } from '#base/duration.ts';
import type { ParsedBodyOf } from '#contract/endpoint.ts';
import type { ProviderFlow, signInWithProvider } from '#contract/providers-api.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import { hasStrongerProof } from '#server/features/accounts/credentials/usable-credentials.ts';
import type { SignInProvider } from '#server/features/accounts/providers/provider.ts';
import { requireRecentAuth } from '#server/features/accounts/sessions/require-recent-auth.ts';
import { checkSetUpCode } from '#server/features/accounts/sign-in/set-up-code.ts';
import { flowSecretsOf, insertFlow, newState, type FlowDisplay } from './provider-flow.ts';
import type { OauthFlowRow } from '#server/storage/database/schema.ts';
import { problemOfProvider } from './provider-problem.ts';
import { signedInPrincipal } from '#server/features/accounts/sessions/session-principal.ts';
import type { IdentitiesDeps } from './identities-deps.ts';

const base = 'https://here.invalid';

/**
 * Returns the path to return to after a sign-in. Anything that could lead to another site is replaced with `/`
 * (for example `//evil`, `/\evil`, `https:evil`).
 */
function safeReturnTo(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return '/';
  const url = URL.parse(path, base);
  // Resolving dot segments and escapes can produce a second slash, so check again.
  if (
    url === null ||
    url.origin !== base ||
    url.pathname.startsWith('//') ||
    /^\/(%2f|%5c)/i.test(url.pathname)
  )
    return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}

export type ProviderCall = ParsedBodyOf<typeof signInWithProvider>;

type Intent = NonNullable<ProviderCall['intent']>;

const flowLivesMs = 10 * minute;

/**
 * Linking changes how an account is protected, so it requires recent authentication and is bound to the session
 * that started it.
 */
async function starterOf(
  context: IdentitiesDeps,
  intent: Intent,
  request: FastifyRequest,
): Promise<SessionPrincipal | null> {
  if (intent === 'sign-in') return null;
  const principal = await signedInPrincipal(context, request);
  return intent === 'link' ? requireRecentAuth(principal, context.clock) : principal;
}

/**
 * Rejects early if a proof by this provider would not be sufficient.
 * @throws provider-not-enough (403) and the problems of a provider
 */
async function rejectUntimed(
  context: IdentitiesDeps,
  provider: SignInProvider,
  { request, userId }: { request: FastifyRequest; userId: string },
): Promise<void> {
  const isTimed = await provider.provesSignInTime().catch((error: unknown) => {
    throw problemOfProvider(error, { request, provider: provider.id });
  });
  if (!isTimed && (await hasStrongerProof(context.database.queries, userId)))
    throw new ProblemError('provider-not-enough');
}

/**
 * Determines who starts a flow, and whether it may create the first account.
 * @throws the same problems as `startFlow`, before any request to the provider
 */
async function admit(
  context: IdentitiesDeps,
  provider: SignInProvider,
  { body, request }: { body: ProviderCall; request: FastifyRequest },
): Promise<{ intent: Intent; starter: SessionPrincipal | null; isSetUp: boolean }> {
  const intent = body.intent ?? 'sign-in';
  const starter = await starterOf(context, intent, request);
  if (starter !== null && intent === 'reauthenticate')
    await rejectUntimed(context, provider, { request, userId: starter.userId });
  return { intent, starter, isSetUp: starter === null && (await checkSetUpCode(context, body.setUpCode)) };
}

/**
 * The provider redirects the browser to the public URL. If the user opened this server under another host name,
 * the browser has other cookies there and the flow would not be found.
 */
function rejectOtherHost({ headers: { host = '' } }: FastifyRequest, redirectUri: string): void {
  const { hostname, origin } = new URL(redirectUri);
  if (URL.parse(`http://${host}`)?.hostname !== hostname)
    throw new ProblemError('provider-other-address', { detail: origin });
}

/** What a flow stores about its purpose and its starter. */
type FlowPurpose = Pick<
  OauthFlowRow,
  'intent' | 'user_id' | 'session_id' | 'remember' | 'is_set_up' | 'locale' | 'return_to'
>;

/**
 * Stores a flow under a random state and returns the authorization URL. `purpose` runs after the host name was
 * checked and before any request to the provider.
 * @throws provider-other-address (421), provider-unavailable (503), provider-slow (504), provider-misconfigured
 * (502), and what `purpose` throws
 */
export async function openFlow(
  context: IdentitiesDeps,
  provider: SignInProvider,
  given: {
    display: FlowDisplay;
    purpose: () => Promise<FlowPurpose> | FlowPurpose;
    request: FastifyRequest;
    reply: FastifyReply;
  },
): Promise<ProviderFlow> {
  const { display, request, reply } = given;
  const { database, clock, cookies } = context;
  const redirectUri = context.providers.redirectUri(provider.id);
  rejectOtherHost(request, redirectUri);
  const purpose = await given.purpose();
  const nowMs = clock.nowMs();
  const state = newState(display);
  const browser = cookies.nameFlowBrowser(request, reply);
  const authorizationUrl = await provider
    .authorizationUrl({
      ...flowSecretsOf(browser, state),
      redirectUri,
      isReauthentication: purpose.intent === 'reauthenticate',
    })
    .catch((error: unknown) => {
      throw problemOfProvider(error, { request, provider: provider.id });
    });
  await insertFlow(database.queries, {
    ...purpose,
    state_hash: hashOf(state),
    browser_hash: hashOf(browser),
    provider: provider.id,
    created_at: nowMs,
    expires_at: nowMs + flowLivesMs,
  });
  return { authorizationUrl: authorizationUrl.href, flow: state, expiresAt: instantOf(nowMs + flowLivesMs) };
}

/**
 * Starts a sign-in, a link or a new proof.
 * @throws the problems of `openFlow`, and set-up-code-invalid (422) if no account exists yet; for linking and
 * reauthenticating also session-required (401), reauthentication-required and provider-not-enough (403)
 */
export function startFlow(
  context: IdentitiesDeps,
  provider: SignInProvider,
  given: { body: ProviderCall; request: FastifyRequest; reply: FastifyReply },
): Promise<ProviderFlow> {
  const { body, request, reply } = given;
  return openFlow(context, provider, {
    display: body.display ?? 'popup',
    request,
    reply,
    async purpose() {
      const { intent, starter, isSetUp } = await admit(context, provider, given);
      return {
        intent,
        user_id: starter?.userId ?? null,
        session_id: starter?.sessionId ?? null,
        remember: body.remember === false ? 0 : 1,
        is_set_up: isSetUp ? 1 : 0,
        locale: body.locale ?? null,
        return_to: safeReturnTo(body.returnTo),
      };
    },
  });
}
