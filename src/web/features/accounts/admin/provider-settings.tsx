import { useState } from 'react';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react';
import type { Api } from '#contract/api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { ProviderCheck } from '#contract/providers-api.ts';
import { call } from '#web/api/call.ts';
import { iso } from '#web/i18n/iso.ts';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { QueryState } from '#web/request-states/query-state.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { ProviderIcon } from '#web/features/accounts/providers/provider-icon.tsx';
import { SettingsItem, SettingsList, Section } from '#web/features/accounts/parts/section.tsx';
import { useAction } from '#web/request-states/use-action.ts';
import { TestSignIn } from '#web/features/accounts/provider-tests/test-sign-in.tsx';
import { broughtAnswer } from '#web/features/accounts/provider-tests/use-test-sign-in.ts';
import styles from '#web/features/accounts/parts/settings.module.css';

type Settings = ReplyOf<Api['listProviderSettings']>;

/** The issuer as common servers write it, for `OIDC_HOME_ISSUER`, and what they call a client. */
const issuerExamples = [
  ['authentik', 'https://auth.example.org/application/o/earshot/', 'OAuth2/OpenID Provider'],
  ['Authelia', 'https://auth.example.org', 'identity_providers.oidc.clients'],
  ['Keycloak', 'https://auth.example.org/realms/main', 'OpenID Connect client'],
  ['Microsoft Entra ID', 'https://login.microsoftonline.com/<tenant>/v2.0', 'App registration'],
  ['Zitadel', 'https://auth.example.org', 'Web application'],
] as const;

/** For administrators: the configured providers with a test for each, and how to set up others. */
export function ProviderSettingsSection() {
  const { t } = useLingui();
  const answer = useQuery({
    queryKey: accountKeys.providerSettings,
    queryFn: ({ signal }) => call('listProviderSettings', { signal }),
    meta: { what: msg`Sign-in providers` },
  });
  const { data } = answer;
  if (!data) return <QueryState of={accountKeys.providerSettings} answer={answer} label={t`Opening…`} />;
  return (
    <div className={styles.page}>
      <Section
        title={<Trans>Sign-in providers</Trans>}
        hint={
          <Trans>
            Providers are set up with environment variables, which are read when the server starts. Select
            Test to check a provider’s settings without signing anyone in.
          </Trans>
        }
      >
        {data.configured.length === 0 ? (
          <p>
            <Trans>No providers are set up. People sign in with a password or a passkey.</Trans>
          </p>
        ) : (
          <SettingsList>
            {data.configured.map((provider) => (
              <ConfiguredRow key={provider.id} provider={provider} />
            ))}
          </SettingsList>
        )}
      </Section>
      {data.available.length > 0 && (
        <Section
          title={<Trans>Available to set up</Trans>}
          hint={
            <Trans>
              Set these variables for each provider, and enter the redirect address at the provider exactly as
              shown.
            </Trans>
          }
        >
          <SettingsList>
            {data.available.map(({ kind, name, variables, redirectUri }) => (
              <SettingsItem
                key={kind}
                icon={<ProviderIcon kind={kind} />}
                title={
                  kind === 'oidc' ? (
                    <Trans>Any OpenID Connect provider</Trans>
                  ) : (
                    <bdi translate="no">{name}</bdi>
                  )
                }
              >
                <span className={styles.fact}>
                  {variables.map((variable) => (
                    <code key={variable} dir="ltr">
                      {variable}
                    </code>
                  ))}
                  <CopyButton text={variables.map((variable) => `${variable}=\n`).join('')} />
                </span>
                <span className={styles.fact}>
                  <code dir="ltr">{redirectUri}</code>
                  <CopyButton text={redirectUri} />
                </span>
                {kind === 'oidc' && <IssuerExamples />}
              </SettingsItem>
            ))}
          </SettingsList>
        </Section>
      )}
    </div>
  );
}

/** How five common servers name what has to be created there, and their issuers. */
function IssuerExamples() {
  return (
    <>
      <span className={styles.fact}>
        <Trans>
          There, create a client with a secret, for the authorization code flow. Examples of issuers:
        </Trans>
      </span>
      {issuerExamples.map(([server, issuer, client]) => (
        <span key={server} className={styles.fact}>
          <bdi translate="no">
            {server} ({client})
          </bdi>{' '}
          <code dir="ltr">{issuer}</code>
        </span>
      ))}
    </>
  );
}

function ConfiguredRow({ provider }: { provider: Settings['configured'][number] }) {
  const { t } = useLingui();
  const [found, setFound] = useState<ReplyOf<Api['testProvider']> | null>(null);
  const [isBrought] = useState(() => broughtAnswer(provider.id) !== null);
  const test = useAction(async () => {
    setFound(await call('testProvider', { params: { provider: provider.id } }));
  });
  const name = iso(provider.name);
  return (
    <SettingsItem
      icon={<ProviderIcon kind={provider.kind} />}
      title={<bdi translate="no">{provider.name}</bdi>}
      actions={
        <Button
          isPending={test.isPending}
          aria-label={t`Test ${name}`}
          onPress={() => test.run()}
        >{t`Test`}</Button>
      }
      below={
        (found !== null || isBrought) && <TestSignIn provider={provider} needs={found?.onlyAtSignIn ?? []} />
      }
    >
      <span className={styles.fact}>
        <Trans>Issuer</Trans> <code dir="ltr">{provider.issuer}</code>
      </span>
      <span className={styles.fact}>
        <Trans>Client ID</Trans> <code dir="ltr">{provider.clientId}</code>
      </span>
      <span className={styles.fact}>
        <Trans>Redirect URL</Trans> <code dir="ltr">{provider.redirectUri}</code>
      </span>
      <output>{found && <CheckList checks={found.checks} />}</output>
    </SettingsItem>
  );
}

const signs = { ok: CircleCheck, failed: CircleAlert, unknown: CircleHelp };

function CheckList({ checks }: { checks: readonly ProviderCheck[] }) {
  const { t } = useLingui();
  const names: Record<ProviderCheck['check'], string> = {
    reach: t`Responds`,
    issuer: t`Identity confirmed`,
    clock: t`Clock matches this server’s`,
    endpoints: t`All addresses found`,
    signing: t`Signatures can be verified`,
    flow: t`Sign-in method supported`,
    scopes: t`Name and email address provided`,
    keys: t`Signing keys found`,
    client: t`Client ID and secret accepted`,
    redirect: t`Redirect URL accepted`,
  };
  const outcomes: Record<ProviderCheck['outcome'], string> = {
    ok: t`yes`,
    failed: t`no`,
    unknown: t`couldn’t be checked`,
  };
  return (
    <span className={styles.checks}>
      {checks.map(({ check, outcome, detail }) => {
        const Sign = signs[outcome];
        return (
          <span key={check} className={`${styles.check} ${styles[outcome]}`}>
            <Sign aria-hidden />
            <span>
              {names[check]}: {outcomes[outcome]}
              {detail !== null && (
                <span className={styles.checkDetail}>
                  {' '}
                  (<bdi translate="no">{detail}</bdi>)
                </span>
              )}
            </span>
          </span>
        );
      })}
    </span>
  );
}
