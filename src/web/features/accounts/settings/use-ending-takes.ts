import { msg } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { useFinishTakes } from '#web/features/accounts/parts/finish-takes.tsx';

/** The takes on devices that a changed password signs out, or that were signed out before. */
export function useEndingTakes(keepOtherSessions: boolean) {
  const { data } = useQuery({
    queryKey: accountKeys.devices,
    queryFn: ({ signal }) => call('listSessions', { signal }),
    staleTime: 0,
    meta: { what: msg`Where you’re signed in` },
  });
  const staying = new Set(keepOtherSessions ? data?.items.map(({ id }) => id) : []);
  return useFinishTakes((data?.takes ?? []).filter(({ sessionId }) => !staying.has(sessionId)));
}
