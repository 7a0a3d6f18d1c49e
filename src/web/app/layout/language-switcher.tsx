import { lazy, Suspense, useRef, useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Globe } from 'lucide-react';
import { shippedLocale } from '#contract/locales.ts';
import { PressButton } from '#web/ui/controls/press-button.tsx';
import { lazyChunks } from '#web/app/lazy.ts';
import styles from './layout.module.css';

const LanguagePopover = lazy(async () => ({ default: (await lazyChunks.languagePopover()).LanguagePopover }));

/**
 * Always in sight, signed in or not: a globe, the word in the present language, and what the language calls
 * itself. No flags.
 */
export function LanguageSwitcher() {
  const { t, i18n } = useLingui();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const shown = shippedLocale(i18n.locale);
  return (
    <>
      <PressButton
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
        onApproach={() => void lazyChunks.languagePopover()}
        className={styles.language}
      >
        <Globe aria-hidden />
        <span className={styles.languageWords}>
          <span className={styles.languageWord}>{t`Language`}</span>{' '}
          <bdi lang={shown?.tag} className={styles.languageName} translate="no">
            {shown?.autonym}
          </bdi>
        </span>
      </PressButton>
      {isOpen && (
        <Suspense>
          <LanguagePopover triggerRef={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
