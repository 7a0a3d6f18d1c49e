import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { iso } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { PressButton } from '#web/ui/controls/press-button.tsx';
import type { LibraryView } from './library-view.ts';
import type { ActiveFilter } from './use-filter-messages.ts';
import styles from './view.module.css';

export interface ActiveFiltersProps {
  filters: readonly ActiveFilter[];
  onShow: (view: LibraryView) => void;
  onClear: () => void;
}

/** The active filters, each with a button that removes it. */
export function ActiveFilters({ filters, onShow, onClear }: ActiveFiltersProps) {
  const { t } = useLingui();
  if (filters.length === 0) return null;
  return (
    <fieldset aria-label={t`Active filters`} className={styles.chips}>
      {filters.map(({ id, text, without }) => {
        const filter = iso(text);
        return (
          <PressButton
            key={id}
            aria-label={t`Remove filter: ${filter}`}
            className={styles.chip}
            onPress={() => onShow(without)}
          >
            <span dir="auto">{text}</span>
            <X aria-hidden />
          </PressButton>
        );
      })}
      <Button variant="plain" onPress={onClear}>
        <Trans>Clear filters</Trans>
      </Button>
    </fieldset>
  );
}
