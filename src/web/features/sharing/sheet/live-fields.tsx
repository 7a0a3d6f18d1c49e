import { Trans, useLingui } from '@lingui/react/macro';
import { shareDelaysMs } from '#contract/share-delays.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import type { LinkForm } from './use-link-form.ts';
import styles from './sheet.module.css';

const off = 'off';

/** Listening to a recording while it is being made: the delay, and what happens after Stop. */
export function LiveFields({ link: { form, set, policy } }: { link: LinkForm }) {
  const { t } = useLingui();
  const { duration } = useFormat();
  const { live } = form;
  const delays = shareDelaysMs.map((delayMs) => {
    const delay = duration(delayMs);
    return { value: String(delayMs), label: delayMs === 0 ? t`Without delay` : t`Delay: ${delay}` };
  });
  const options = [{ value: off, label: t`After the recording` }, ...(policy.mayGoLive ? delays : [])];
  const choose = (value: string) => {
    const delayMs = shareDelaysMs.find((known) => String(known) === value);
    set({
      live: delayMs === undefined ? null : { delayMs, isHeldAfterStop: live?.isHeldAfterStop ?? false },
    });
  };
  return (
    <div className={styles.fields}>
      <Select
        label={t`Live listening`}
        value={live === null ? off : String(live.delayMs)}
        options={options}
        onChange={choose}
      />
      {live !== null && (
        <Switch
          description={<Trans>Listen to the recording first, then open the link.</Trans>}
          isSelected={live.isHeldAfterStop}
          onChange={(isHeldAfterStop) => set({ live: { ...live, isHeldAfterStop } })}
        >
          <Trans>Close the link after Stop until I open it</Trans>
        </Switch>
      )}
    </div>
  );
}
