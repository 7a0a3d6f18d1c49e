import { useState } from 'react';
import { locales } from '#contract/locales.ts';
import { Select } from '#web/ui/controls/select.tsx';
import styles from './dev.module.css';

/** Generated from English by the build: half as long again, and right to left. */
const pseudo = [
  { value: 'en-XA', label: 'en-XA' },
  { value: 'ar-XB', label: 'ar-XB' },
];
const languages = [
  ...locales.map(({ tag, autonym }) => ({ value: String(tag), label: `${tag} · ${autonym}` })),
  ...pseudo,
];
const widths = ['320px', '480px', '768px', '100%'].map((width) => ({ value: width, label: width }));
const panes = (['ltr', 'rtl'] as const).flatMap((dir) =>
  (['light', 'dark'] as const).map((theme) => ({ dir, theme })),
);

/** Four previews side by side: both directions, light and dark, in the chosen language. */
export function Board() {
  const [language, setLanguage] = useState('en');
  const [width, setWidth] = useState('480px');
  return (
    <div className={styles.board}>
      <header className={styles.bar}>
        <h1>src/web/ui</h1>
        <Select
          label="Language"
          labelHidden
          look="chip"
          value={language}
          options={languages}
          onChange={setLanguage}
        />
        <Select label="Width" labelHidden look="chip" value={width} options={widths} onChange={setWidth} />
      </header>
      <div className={styles.panes}>
        {panes.map(({ dir, theme }) => (
          <figure key={`${dir}-${theme}`} style={{ inlineSize: width }}>
            <figcaption>
              {dir} · {theme}
            </figcaption>
            <iframe title={`${dir} ${theme}`} src={`/dev/ui?lang=${language}&theme=${theme}&dir=${dir}`} />
          </figure>
        ))}
      </div>
    </div>
  );
}
