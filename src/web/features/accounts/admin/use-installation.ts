import { msg } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { getInstallation } from '#contract/administration-api.ts';
import { call } from '#web/api/call.ts';
import { accountKeys } from '#web/features/accounts/account-keys.ts';

/**
 * The facts about this installation that need an administrator's attention; undefined until loaded. All notices
 * share one request.
 */
export function useInstallation(): ReplyOf<typeof getInstallation> | undefined {
  return useQuery({
    queryKey: accountKeys.installation,
    queryFn: ({ signal }) => call('getInstallation', { signal }),
    meta: { what: msg`Failed jobs` },
  }).data;
}
