import { useState, type FormEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { SharingPolicy } from '#contract/shares.ts';
import { call } from '#web/api/call.ts';
import { shareKeys } from '#web/api/queries/query-client.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { accountKeys } from '#web/features/accounts/account-keys.ts';
import { useAction } from '#web/request-states/use-action.ts';
import { readLinkDays } from './link-days.ts';
import styles from '#web/features/accounts/parts/settings.module.css';

type Permission = Exclude<keyof SharingPolicy, 'links' | 'longestDays' | 'defaultDays'>;

/** The rules for links, as a form. */
export function SharingRules({ policy: stored }: { policy: SharingPolicy }) {
  const { t } = useLingui();
  const { number } = useFormat();
  const client = useQueryClient();
  const [policy, setPolicy] = useState(stored);
  const [longest, setLongest] = useState(stored.longestDays === null ? '' : String(stored.longestDays));
  const [usual, setUsual] = useState(String(stored.defaultDays));
  const [isRejected, setRejected] = useState(false);
  const isOff = policy.links === 'off';
  // Without links the fields are hidden, and what was typed in them has no effect.
  const { days, isDefaultWrong, isMaxWrong } = isOff
    ? { days: stored, isDefaultWrong: false, isMaxWrong: false }
    : readLinkDays({ usual, longest });
  const save = useAction(async (body: SharingPolicy) => {
    const answer = await call('changeSharingPolicy', { body });
    client.setQueryData(accountKeys.sharing, answer);
    await client.invalidateQueries({ queryKey: accountKeys.linksOfEveryone });
    await client.invalidateQueries({ queryKey: shareKeys.everything });
    const count = number(answer.suspendedCount);
    showToast({ message: () => t`Rules saved. Suspended links: ${count}`, tone: 'success' });
  });
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    setRejected(days === null);
    if (days) save.run({ ...policy, longestDays: days.longestDays, defaultDays: days.defaultDays });
  };
  return (
    <form noValidate className={styles.form} onSubmit={handleSubmit}>
      <Select
        label={t`Links to recordings`}
        value={policy.links}
        options={[
          { value: 'on', label: t`Anyone can be given a link` },
          { value: 'users', label: t`Only people with an account on this server` },
          { value: 'off', label: t`No one can be given a link` },
        ]}
        onChange={(links) => setPolicy({ ...policy, links })}
      />
      {!isOff && (
        <>
          <TextField
            label={t`Days until new links expire`}
            name="defaultDays"
            inputMode="numeric"
            value={usual}
            onChange={setUsual}
            errorMessage={
              isRejected && isDefaultWrong ? t`Enter a number of days, not more than the longest time.` : null
            }
          />
          <TextField
            label={t`Longest time in days`}
            description={t`Leave empty for links that needn’t expire.`}
            name="longestDays"
            inputMode="numeric"
            value={longest}
            onChange={setLongest}
            errorMessage={isRejected && isMaxWrong ? t`Enter a number of days.` : null}
          />
          <Permissions policy={policy} onChange={setPolicy} />
        </>
      )}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" isPending={save.isPending}>
          <Trans>Save</Trans>
        </Button>
      </div>
    </form>
  );
}

function Permissions({
  policy,
  onChange,
}: {
  policy: SharingPolicy;
  onChange: (policy: SharingPolicy) => void;
}) {
  const { t } = useLingui();
  const labels: Record<Permission, string> = {
    isPasswordRequired: t`Every link needs a password`,
    mayDownload: t`Listeners may download, if the link’s owner allows it`,
    mayDownloadOriginal: t`Listeners may download the original file`,
    mayEmbed: t`Other websites may show the player`,
    mayPreview: t`Other apps may show a preview`,
    mayGoLive: t`Listeners may follow a recording while it’s being made`,
  };
  const permissions: readonly Permission[] = [
    'isPasswordRequired',
    'mayDownload',
    'mayDownloadOriginal',
    'mayEmbed',
    'mayPreview',
    'mayGoLive',
  ];
  return (
    <div>
      {permissions.map((permission) => (
        <Switch
          key={permission}
          isSelected={policy[permission]}
          isDisabled={permission === 'mayDownloadOriginal' && !policy.mayDownload}
          onChange={(isOn) => onChange({ ...policy, [permission]: isOn })}
        >
          {labels[permission]}
        </Switch>
      ))}
    </div>
  );
}
