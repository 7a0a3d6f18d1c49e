import { useState } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Funnel } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { SearchField } from '#web/ui/controls/search-field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FilterFields, type FilterFieldsProps } from './filter-fields.tsx';
import { withoutFilters } from './library-view.ts';
import styles from './view.module.css';

export interface FindBarProps extends FilterFieldsProps {
  typed: string;
  onType: (text: string) => void;
  /** Number of active filters; null if there are none to set, as without an account. */
  filterCount: number | null;
  /** Number of matching recordings; null while it is unknown. */
  count: number | null;
}

const isPhone = () => matchMedia('(width <= 560px)').matches;

/** The search field and the filters, which open below it on a wide screen and in a sheet on a phone. */
export function FindBar({ typed, onType, filterCount, count, ...fields }: FindBarProps) {
  const { t } = useLingui();
  const [opened, setOpened] = useState<'panel' | 'sheet' | null>(null);
  const close = () => setOpened(null);
  const toggle = () => setOpened(opened === null ? (isPhone() ? 'sheet' : 'panel') : null);
  return (
    <>
      <div className={styles.find}>
        <SearchField
          label={t`Search recordings`}
          placeholder={t({
            message: 'Search',
            comment: 'In an empty search field, to search recordings; has little room',
          })}
          value={typed}
          onChange={onType}
          className={styles.search}
        />
        {filterCount !== null && (
          <Button icon={<Funnel aria-hidden />} aria-expanded={opened === 'panel'} onPress={toggle}>
            <span className={styles.filterWord}>
              <Trans>Filters</Trans>
            </span>
            {filterCount > 0 && (
              <>
                {' '}
                <span className={styles.filterCount}>{filterCount}</span>
              </>
            )}
          </Button>
        )}
      </div>
      {opened === 'panel' && (
        <section aria-label={t`Filters`} className={styles.panel}>
          <FilterFields {...fields} />
        </section>
      )}
      {opened === 'sheet' && (
        <Dialog title={<Trans>Filters</Trans>} isOpen onOpenChange={close}>
          <FilterFields
            {...fields}
            onManageTags={() => {
              close();
              fields.onManageTags();
            }}
          />
          <div className={styles.sheetButtons}>
            {filterCount !== null && filterCount > 0 && (
              <Button variant="plain" onPress={() => fields.onChange(withoutFilters(fields.view))}>
                <Trans>Clear filters</Trans>
              </Button>
            )}
            <Button variant="primary" onPress={close}>
              {count === null ? (
                <Trans>Show recordings</Trans>
              ) : (
                <Plural value={count} one="Show # recording" other="Show # recordings" />
              )}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
