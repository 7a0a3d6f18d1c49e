import { Trans } from '@lingui/react/macro';
import type { Provider } from '#contract/providers-api.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { iso } from '#web/i18n/iso.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useProviders } from '../providers/use-providers.ts';
import { useMethodNames } from '../parts/use-method-names.ts';

/** An account has this address already, and an address proves nothing: the old way in comes first, then both can be linked. */
export function AccountExists({ provider, methods }: { provider: Provider; methods: readonly string[] }) {
  const { list } = useFormat();
  const nameOf = useMethodNames(useProviders());
  const name = iso(provider.name);
  const ways = list(methods.map(nameOf));
  return (
    <Notice tone="info" role="alert">
      <p><Trans>An account here has the e-mail address that {name} gave. To be sure that it is yours, sign in to it the way you did so far.</Trans></p>
      {methods.length > 0 && <p><Trans>It can be opened by: {ways}.</Trans></p>}
      <p><Trans>After that you are asked whether to link {name}, and from then on both ways lead to the same account.</Trans></p>
    </Notice>
  );
}
