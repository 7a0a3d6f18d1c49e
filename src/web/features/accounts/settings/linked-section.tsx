import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { session } from '#web/api/session.ts';
import { reloadHistory } from '#web/features/accounts/reload-history.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { QueryState } from '#web/request-states/query-state.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { ProviderButtons } from '#web/features/accounts/providers/provider-buttons.tsx';
import { useLinkFlow } from '#web/features/accounts/providers/use-provider-flow.ts';
import { questionForIdentities, useProviders } from '#web/features/accounts/providers/use-providers.ts';
import { SettingsList, Section } from '#web/features/accounts/parts/section.tsx';
import { IdentityListItem } from './identity-list-item.tsx';

/** The accounts of providers that are linked to this one. */
export function LinkedSection() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const providers = useProviders();
  const answer = useQuery(questionForIdentities);
  const { data } = answer;
  const { state, start, cancel } = useLinkFlow(() =>
    showToast({ message: () => t`Linked. You can now sign in with it.`, tone: 'success' }),
  );
  const identities = data?.identities ?? [];
  const linked = new Set(identities.map(({ provider }) => provider));
  if (providers.length === 0 && identities.length === 0 && answer.error === null) return null;
  const reload = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: accountKeys.identities }),
      reloadHistory(),
      session.refresh(),
    ]);
  };
  return (
    <Section
      title={<Trans>Linked accounts</Trans>}
      hint={
        <Trans>
          Sign in with an account you already have. Earshot receives your name and email address, and nothing
          else.
        </Trans>
      }
    >
      <QueryState of={accountKeys.identities} answer={answer} />
      {identities.length > 0 && (
        <SettingsList>
          {identities.map((identity) => (
            <IdentityListItem key={identity.id} identity={identity} onChanged={reload} />
          ))}
        </SettingsList>
      )}
      <ProviderButtons
        providers={providers}
        labelOf={(name, { id }) => (linked.has(id) ? t`Link another ${name} account` : t`Link ${name}`)}
        state={state}
        onChoose={start}
        onCancel={cancel}
        isCompact
      />
    </Section>
  );
}
