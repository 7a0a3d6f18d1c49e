import { useQuery } from '@tanstack/react-query';
import type { Provider } from '#contract/providers-api.ts';
import { call } from '#web/api/call.ts';
import { accountKeys } from '../account-keys.ts';

const none: readonly Provider[] = [];

/** The providers one can sign in with here; none while that is not known, or cannot be. */
export function useProviders(): readonly Provider[] {
  const { data } = useQuery({ queryKey: ['providers'], queryFn: ({ signal }) => call('listProviders', { signal }), staleTime: Infinity });
  return data?.providers ?? none;
}

/** Those among them that the person has linked. */
export function useLinkedProviders(): readonly Provider[] {
  const providers = useProviders();
  const { data } = useQuery({ queryKey: accountKeys.identities, queryFn: ({ signal }) => call('listIdentities', { signal }) });
  const linked = new Set(data?.identities.filter(({ isUsable }) => isUsable).map(({ provider }) => provider));
  return providers.filter(({ id }) => linked.has(id));
}
