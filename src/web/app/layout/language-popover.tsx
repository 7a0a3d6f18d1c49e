import type { RefObject } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { shippedLocale, type LocaleTag } from '#contract/locales.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { chooseLanguage } from '#web/features/settings/choose-language.ts';
import { LanguageList } from '#web/features/settings/language-list.tsx';
import { announce } from '#web/ui/feedback/announce.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import styles from './layout.module.css';

export interface LanguagePopoverProps {
  triggerRef: RefObject<HTMLElement | null>;
  onClose: () => void;
}

export function LanguagePopover({ triggerRef, onClose }: LanguagePopoverProps) {
  const { t } = useLingui();
  const errorMessage = useErrorMessage();
  const handleChoose = (tag: LocaleTag) => {
    onClose();
    chooseLanguage(tag).then(
      () => announce(shippedLocale(tag)?.autonym ?? tag),
      (error: unknown) => showFailure(errorMessage(error)),
    );
  };
  return (
    <Popover isOpen onOpenChange={(isOpen) => { if (!isOpen) onClose(); }} triggerRef={triggerRef} placement="top start" offset={6} className={styles.languagePopover ?? ''}>
      <Dialog aria-label={t`Language`} className={styles.languageDialog ?? ''}>
        <LanguageList isOpened onChoose={handleChoose} />
      </Dialog>
    </Popover>
  );
}
