import { Trans } from '@lingui/react/macro';
import type { Provider } from '#contract/providers-api.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { iso } from '#web/i18n/iso.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useProviders } from '#web/features/accounts/providers/use-providers.ts';
import { useMethodNames } from '#web/features/accounts/parts/use-method-names.ts';

/**
 * An account with this e-mail address already exists. An address proves nothing, so the user has to sign in with
 * an existing method before the provider can be linked.
 */
export function AccountExists({ provider, methods }: { provider: Provider; methods: readonly string[] }) {
  const { list } = useFormat();
  const nameOf = useMethodNames(useProviders());
  const name = iso(provider.name);
  const ways = list(methods.map(nameOf));
  return (
    <Notice tone="info" role="alert">
      <p>
        <Trans>
          An account here already uses the email address from {name}. To confirm it’s yours, sign in the way
          you did before.
        </Trans>
      </p>
      {methods.length > 0 && (
        <p>
          <Trans>Ways to sign in to it: {ways}.</Trans>
        </p>
      )}
      <p>
        <Trans>After that you can link {name} and sign in either way.</Trans>
      </p>
    </Notice>
  );
}
