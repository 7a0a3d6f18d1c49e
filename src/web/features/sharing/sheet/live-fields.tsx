import { Trans, useLingui } from '@lingui/react/macro';
import type { ShareLive } from '#contract/shares.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import type { LinkForm } from './use-link-form.ts';
import styles from './sheet.module.css';

const off = 'off';
/** The delays of the contract, whose schema the page does not load. */
const delaysMs: readonly ShareLive['delayMs'][] = [0, 10_000, 30_000, 120_000];

/** Listening to a recording while it is being made: the delay, and what happens after Stop. */
export function LiveFields({ link: { form, set, policy } }: { link: LinkForm }) {
  const { t } = useLingui();
  const { duration } = useFormat();
  const { live } = form;
  const delays = delaysMs.map((delayMs) => {
    const delay = duration(delayMs);
    return { value: String(delayMs), label: delayMs === 0 ? t`Without delay` : t`Delay: ${delay}` };
  });
  const options = [{ value: off, label: t`After the recording` }, ...(policy.mayGoLive ? delays : [])];
  const choose = (value: string) => {
    const delayMs = delaysMs.find((known) => String(known) === value);
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
