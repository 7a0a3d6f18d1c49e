import { useId } from 'react';
import { useLingui } from '@lingui/react/macro';
import { labelColours } from '#base/labels/label.ts';
import { useColourNames } from '#web/i18n/use-colour-names.ts';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import type { MarkerColour } from '#web/features/player/playable-recording.ts';
import styles from './markers.module.css';

/** Chooses one of the five marker colours. */
export function ColourChoice({
  colour,
  onChange,
}: {
  colour: MarkerColour;
  onChange: (colour: MarkerColour) => void;
}) {
  const { t } = useLingui();
  const name = useId();
  const messages = useColourNames();
  return (
    <fieldset className={styles.colours}>
      <legend>
        <VisuallyHidden>{t`Colour`}</VisuallyHidden>
      </legend>
      {labelColours.map((known) => (
        <label key={known} className={styles.colour} data-tooltip={messages[known]}>
          <input
            type="radio"
            name={name}
            value={known}
            checked={known === colour}
            onChange={() => onChange(known)}
          />
          <i aria-hidden className={styles.dot} data-colour={known} />
          <VisuallyHidden>{messages[known]}</VisuallyHidden>
        </label>
      ))}
    </fieldset>
  );
}
