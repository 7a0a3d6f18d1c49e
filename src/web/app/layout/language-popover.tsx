import type { RefObject } from 'react';
import { useLingui } from '@lingui/react/macro';
import { shippedLocale, type LocaleTag } from '#contract/locales.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { chooseLanguage } from '#web/features/settings/choose-language.ts';
import { LanguageList } from '#web/features/settings/language-list.tsx';
import { announce } from '#web/ui/feedback/announce.ts';
import { DialogPopover } from '#web/ui/overlays/dialog-popover.tsx';
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
      (error: unknown) => showFailure(() => errorMessage(error)),
    );
  };
  return (
    <DialogPopover
      label={t`Language`}
      triggerRef={triggerRef}
      placement="top start"
      onClose={onClose}
      className={styles.languagePopover}
      dialogClassName={styles.languageDialog}
    >
      <LanguageList isOpened onChoose={handleChoose} />
    </DialogPopover>
  );
}
