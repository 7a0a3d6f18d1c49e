import { useQuery } from '@tanstack/react-query';
import type { Provider } from '#contract/providers-api.ts';
import { call } from '#web/api/call.ts';
import { accountKeys } from '../account-keys.ts';

const none: readonly Provider[] = [];

/** The providers that this server offers. `isLoading` until the server has answered or could not be reached. */
export function useProviderList(): { providers: readonly Provider[]; isLoading: boolean } {
  const { data, isPending, isPaused } = useQuery({ queryKey: ['providers'], queryFn: ({ signal }) => call('listProviders', { signal }), staleTime: Infinity });
  return { providers: data?.providers ?? none, isLoading: isPending && !isPaused };
}

/** The same providers; none while they are loading. */
export const useProviders = (): readonly Provider[] => useProviderList().providers;

/** Those among them that the person has linked. */
export function useLinkedProviders(): readonly Provider[] {
  const providers = useProviders();
  const { data } = useQuery({ queryKey: accountKeys.identities, queryFn: ({ signal }) => call('listIdentities', { signal }) });
  const linked = new Set(data?.identities.filter(({ isUsable }) => isUsable).map(({ provider }) => provider));
  return providers.filter(({ id }) => linked.has(id));
}
