import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { shortLengthFor } from '#web/i18n/short-length.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { sleepTimer } from '#web/features/player/playback/shared-sleep-timer.ts';
import { sleepChoices, type SleepChoice } from '#web/features/player/playback/sleep-timer.ts';
import styles from './sleep.module.css';

/** Chooses when playback stops automatically, and shows the remaining time. */
export function SleepSelect() {
  const { t, i18n } = useLingui();
  const { choice, leftMs } = useStore(sleepTimer);
  const textOf = (value: SleepChoice): string => {
    if (value === 'off') return t({ message: 'Off', context: 'sleep timer' });
    return value === 'end'
      ? t`At the end of the recording`
      : t`After ${plural(value, { one: '# minute', other: '# minutes' })}`;
  };
  const options = sleepChoices.map((value) => ({ value: String(value), label: textOf(value) }));
  const handleChange = (text: string) =>
    sleepTimer.set(sleepChoices.find((value) => String(value) === text) ?? 'off');
  const length = leftMs === null ? '' : shortLengthFor(regionalLocale(i18n.locale))(leftMs);
  return (
    <div className={styles.sleep}>
      <Select label={t`Sleep timer`} value={String(choice)} options={options} onChange={handleChange} />
      {leftMs !== null && (
        <p className={styles.left}>
          <Trans>Stops in {length}.</Trans>
        </p>
      )}
    </div>
  );
}
