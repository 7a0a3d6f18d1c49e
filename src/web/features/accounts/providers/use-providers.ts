import { msg } from '@lingui/core/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Provider } from '#contract/providers-api.ts';
import { call } from '#web/api/call.ts';
import { useUnanswered } from '#web/api/queries/unanswered.ts';
import { accountKeys } from '#web/features/accounts/account-keys.ts';

const none: readonly Provider[] = [];

const providersKey = ['providers'] as const;

/** The query for the accounts of providers that are linked to the user's account. */
export const questionForIdentities = queryOptions({
  queryKey: accountKeys.identities,
  queryFn: ({ signal }) => call('listIdentities', { signal }),
  meta: { what: msg`Linked accounts` },
});

/**
 * The providers that this server offers. `isLoading` until a response could be expected; `isUnanswered` if none
 * came.
 */
export function useProviderList(): {
  providers: readonly Provider[];
  isLoading: boolean;
  isUnanswered: boolean;
} {
  const { data, isPending } = useQuery({
    queryKey: providersKey,
    queryFn: ({ signal }) => call('listProviders', { signal }),
    staleTime: Infinity,
    meta: { what: msg`Sign-in providers`, isPublic: true },
  });
  const isUnanswered = useUnanswered(providersKey);
  return { providers: data?.providers ?? none, isLoading: isPending && !isUnanswered, isUnanswered };
}

/** The same providers; empty while they are loading. */
export const useProviders = (): readonly Provider[] => useProviderList().providers;

/** The providers that the user has linked and can use. */
export function useLinkedProviders(): { providers: readonly Provider[]; isUnanswered: boolean } {
  const { providers, isUnanswered } = useProviderList();
  const isAway = useUnanswered(accountKeys.identities);
  const { data } = useQuery(questionForIdentities);
  const linked = new Set(data?.identities.filter(({ isUsable }) => isUsable).map(({ provider }) => provider));
  return { providers: providers.filter(({ id }) => linked.has(id)), isUnanswered: isUnanswered || isAway };
}
