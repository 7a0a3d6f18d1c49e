import { Check, Search } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { SearchField } from 'react-aria-components/SearchField';
import { shippedLocale, type LocaleTag } from '#contract/locales.ts';
import { languageNames } from './language-names.ts';
import styles from './settings.module.css';

export interface LanguageListProps {
  onChoose: (tag: LocaleTag) => void;
  /** In a popover: the search field is focused, and the list scrolls. */
  isOpened?: boolean;
}

/** A picker that was just opened takes the focus, so that typing finds a language. */
const opening = { autoFocus: true } as const;

/**
 * All languages by their own names. The search also finds them by their name in the interface language, by their
 * English name and by their code.
 */
export function LanguageList({ onChoose, isOpened = false }: LanguageListProps) {
  const { t, i18n } = useLingui();
  const { contains } = useFilter({ sensitivity: 'base' });
  const handleSelect = (key: string | number | undefined) => {
    const chosen = shippedLocale(String(key));
    if (chosen) onChoose(chosen.tag);
  };
  return (
    <div className={isOpened ? `${styles.languages} ${styles.scrolling}` : styles.languages}>
      <Autocomplete filter={contains}>
        <SearchField
          aria-label={t`Search languages`}
          {...(isOpened ? opening : {})}
          className={styles.languageSearch ?? ''}
        >
          {({ isEmpty }) => (
            <>
              <Search aria-hidden />
              <Input placeholder={t`Search languages`} dir={isEmpty ? undefined : 'auto'} />
            </>
          )}
        </SearchField>
        <ListBox
          aria-label={t`Language`}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[i18n.locale]}
          onSelectionChange={(keys) => {
            if (keys !== 'all') handleSelect([...keys][0]);
          }}
          renderEmptyState={() => (
            <p
              className={styles.noLanguage}
            >{t`No languages found. Try the English name or a code, such as “de”.`}</p>
          )}
          className={styles.languageList ?? ''}
        >
          {languageNames(i18n.locale).map(({ locale, nameHere, searchText }) => (
            <ListBoxItem
              key={locale.tag}
              id={locale.tag}
              textValue={searchText}
              className={styles.language ?? ''}
            >
              <span lang={locale.tag} dir={locale.dir} className={styles.autonym}>
                {locale.autonym}
              </span>
              {nameHere !== locale.autonym && <span className={styles.nameHere}>{nameHere}</span>}
              <Check aria-hidden className={styles.tick} />
            </ListBoxItem>
          ))}
        </ListBox>
      </Autocomplete>
    </div>
  );
}
