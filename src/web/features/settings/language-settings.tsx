import { Trans, useLingui } from '@lingui/react/macro';
import { shippedLocale } from '#contract/locales.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { ShortcutSwitch } from '#web/shortcuts/shortcut-switch.tsx';
import { announce } from '#web/ui/feedback/announce.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { chooseLanguage } from './choose-language.ts';
import { LanguageList } from './language-list.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import styles from './settings.module.css';

/** Interface language and appearance, for signed-in and signed-out users. */
export function LanguageSettings() {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  return (
    <div className={styles.sections}>
      <section className={styles.section}>
        <h2>{t`Language`}</h2>
        <p className={styles.hint}>
          <Trans>Takes effect right away, even while you record or play.</Trans>
        </p>
        <LanguageList
          onChoose={(tag) => {
            chooseLanguage(tag).then(
              () => announce(shippedLocale(tag)?.autonym ?? tag),
              (error: unknown) => showFailure(() => errorMessage(error)),
            );
          }}
        />
      </section>
      <section className={styles.section}>
        <ThemeChoice />
      </section>
      <section className={styles.section}>
        <ShortcutSwitch />
      </section>
    </div>
  );
}
