import { useRef, useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Globe } from 'lucide-react';
import { shippedLocale } from '#contract/locales.ts';
import { PressButton } from '#web/ui/controls/press-button.tsx';
import { OpenedPart } from '#web/ui/overlays/opened-part.tsx';
import { layoutChunks } from './layout-chunks.ts';
import styles from './layout.module.css';

const LanguagePopover = layoutChunks.languagePopover.component((chunk) => chunk.LanguagePopover);

/**
 * Shows a globe, the word "Language" in the current language, and the language's own name. No flags. Visible on
 * every screen.
 */
export function LanguageSwitcher() {
  const { t, i18n } = useLingui();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const handleClose = () => setOpen(false);
  const shown = shippedLocale(i18n.locale);
  return (
    <>
      <PressButton
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
        onApproach={layoutChunks.languagePopover.preload}
        className={styles.language}
      >
        <Globe aria-hidden />
        <span className={styles.languageText}>
          <span className={styles.languageLabel}>{t`Language`}</span>{' '}
          <bdi lang={shown?.tag} className={styles.languageName} translate="no">
            {shown?.autonym}
          </bdi>
        </span>
      </PressButton>
      {isOpen && (
        <OpenedPart onClose={handleClose}>
          <LanguagePopover triggerRef={button} onClose={handleClose} />
        </OpenedPart>
      )}
    </>
  );
}
