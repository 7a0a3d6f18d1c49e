import { listProviders, receiveProviderNotice, signInWithProvider } from '#contract/providers-api.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { handleProviderEvent } from './handle-provider-event.ts';
import type { SignInProvider } from '#server/features/accounts/providers/provider.ts';
import { startFlow, type ProviderCall } from './start-flow.ts';
import { finishFlow } from './finish-flow.ts';
import { announceEnded } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { problemOfProvider } from './provider-problem.ts';
import type { IdentitiesDeps } from './identities-deps.ts';

function offered(context: IdentitiesDeps, id: string): SignInProvider {
  const provider = context.providers.find(id);
  if (!provider) throw new ProblemError('provider-unknown');
  return provider;
}

const isAnswer = ({ code, state, error }: ProviderCall): boolean =>
  code !== undefined || state !== undefined || error !== undefined;

function signInRoute(context: IdentitiesDeps): Route {
  return route(signInWithProvider, async ({ params, body, request, reply, ip }) => {
    const provider = offered(context, params.provider);
    await context.flowThrottle.consume(ip);
    return {
      body: isAnswer(body)
        ? await finishFlow(context, provider, { body, request, reply, ip })
        : await startFlow(context, provider, { body, request, reply }),
    };
  });
}

function noticeRoute(context: IdentitiesDeps): Route {
  return route(receiveProviderNotice, async ({ params, body, request, ip }) => {
    const provider = offered(context, params.provider);
    if (!provider.readNotice) throw new ProblemError('provider-unknown');
    await context.flowThrottle.consume(ip);
    const notice = await provider.readNotice(body.payload).catch((error: unknown) => {
      const problem = problemOfProvider(error, { request, provider: provider.id });
      throw problem.code === 'oauth-exchange-failed'
        ? new ProblemError('malformed-request', { cause: error })
        : problem;
    });
    announceEnded(context, await handleProviderEvent(context, notice, { provider: provider.id, ip }));
    return { status: 200 };
  });
}

/** Routes that list the providers, sign in with one, and receive a provider's events. */
export function providerRoutes(context: IdentitiesDeps): Route[] {
  return [
    route(listProviders, async () => ({
      body: { providers: context.providers.all.map(({ id, name, kind }) => ({ id, name, kind })) },
    })),
    signInRoute(context),
    noticeRoute(context),
  ];
}
