import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { OauthFlowRow } from '#server/storage/database/schema.ts';
import type { CodeExchange, SignInProvider } from '#server/features/accounts/providers/provider.ts';
import { signedInPrincipal } from '#server/features/accounts/sessions/session-principal.ts';
import type { IdentitiesDeps } from './identities-deps.ts';
import { consumeFlow, flowSecretsOf, isFlowPending, isState, type FlowOf } from './provider-flow.ts';
import { problemOfAnswer } from './provider-problem.ts';
import type { ProviderCall } from './start-flow.ts';

/** The provider's response, and the request that forwards it. */
export interface Finish {
  body: Pick<ProviderCall, 'code' | 'state' | 'iss' | 'user' | 'error' | 'error_description'>;
  request: FastifyRequest;
  reply: FastifyReply;
  ip: string;
}

/**
 * Consumes the flow that a provider's response belongs to.
 * @throws oauth-state-mismatch (400) or oauth-flow-expired (410)
 */
export async function claimFlow<Intent extends OauthFlowRow['intent']>(
  context: IdentitiesDeps,
  provider: string,
  { body, request, intents }: Pick<Finish, 'body' | 'request'> & { intents: readonly Intent[] },
): Promise<{ flow: FlowOf<Intent>; browser: string }> {
  const { queries } = context.database;
  const nowMs = context.clock.nowMs();
  if (!isState(body.state)) throw new ProblemError('oauth-state-mismatch');
  const browser = context.cookies.flowBrowser(request);
  const key = { state: body.state, provider, intents, nowMs };
  const flow = browser === null ? null : await consumeFlow(queries, { ...key, browser });
  if (flow !== null && browser !== null) return { flow, browser };
  throw new ProblemError(
    (await isFlowPending(queries, body.state, nowMs)) ? 'oauth-state-mismatch' : 'oauth-flow-expired',
  );
}

/**
 * The user who started a flow must finish it, in the same session. Otherwise an attacker could send a flow to a
 * victim, whose account at the provider would then be linked to the attacker's.
 * @throws session-required, session-expired (401), principal-changed (409) or oauth-flow-expired (410)
 */
export async function starterOf(
  context: IdentitiesDeps,
  flow: OauthFlowRow,
  request: FastifyRequest,
): Promise<SessionPrincipal | null> {
  if (flow.intent === 'sign-in') return null;
  const principal = await signedInPrincipal(context, request);
  if (principal.userId !== flow.user_id) throw new ProblemError('principal-changed');
  if (principal.sessionId !== flow.session_id) throw new ProblemError('oauth-flow-expired');
  return principal;
}

/**
 * What the provider needs to redeem the code of a response.
 * @throws the problem that the response reports; oauth-exchange-failed (502) if it has no code
 */
export function exchangeOf(
  context: IdentitiesDeps,
  provider: SignInProvider,
  { body, request, flow, browser }: Finish & { flow: OauthFlowRow; browser: string },
): CodeExchange {
  const { code, state, iss, user, error } = body;
  if (error !== undefined)
    throw problemOfAnswer({ error, description: body.error_description }, { request, provider: provider.id });
  if (code === undefined || state === undefined) throw new ProblemError('oauth-exchange-failed');
  return {
    ...flowSecretsOf(browser, state),
    code,
    iss,
    user,
    redirectUri: context.providers.redirectUri(provider.id),
    isReauthentication: flow.intent === 'reauthenticate',
  };
}
