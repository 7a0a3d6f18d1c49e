import { useQueryClient } from '@tanstack/react-query';
import { session } from '#web/api/session.ts';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { useProviderFlow } from './use-provider-flow.ts';

/** Links a provider's account to the person who is signed in. */
export function useLinkFlow(onLinked: () => void) {
  const queries = useQueryClient();
  return useProviderFlow({
    intent: 'link',
    onEnd: async () => {
      await Promise.all([session.refresh(), queries.invalidateQueries({ queryKey: accountKeys.identities })]);
      onLinked();
    },
  });
}
