import { Search, X } from 'lucide-react';
import { Input } from 'react-aria-components/Input';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { Button as AriaButton } from 'react-aria-components/Button';
import { classes } from '#web/ui/classes.ts';
import { inputDirection } from '#web/ui/text/input-direction.ts';
import buttonStyles from './button.module.css';
import styles from './field.module.css';

export interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  className?: string | undefined;
}

/** A search box with a button that clears it. Escape clears it too. */
export function SearchField({ label, value, onChange, placeholder, className }: SearchFieldProps) {
  return (
    <AriaSearchField
      aria-label={label}
      value={value}
      onChange={onChange}
      className={classes(styles.search, className)}
    >
      <Search aria-hidden className={styles.searchIcon} />
      <Input
        className={classes(styles.searchInput)}
        placeholder={placeholder ?? label}
        dir={inputDirection(value)}
      />
      <AriaButton
        className={classes(buttonStyles.button, buttonStyles.icon, buttonStyles.plain, styles.clear)}
      >
        <X aria-hidden />
      </AriaButton>
    </AriaSearchField>
  );
}
