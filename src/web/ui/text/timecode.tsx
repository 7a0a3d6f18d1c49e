import { classes } from '#web/ui/classes.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { slotAttribute, type Slot } from './slot.ts';
import styles from './text.module.css';

export interface TimecodeProps {
  ms: number;
  tenths?: boolean;
  className?: string | undefined;
  slot?: Slot;
}

/**
 * A position or duration in tabular digits, left to right in every language. The tenths can be styled as
 * `[data-tenths]`.
 */
export function Timecode({ ms, tenths = false, className, slot }: TimecodeProps) {
  const [clock, fraction] = formatTimecode(ms, { tenths }).split('.');
  return (
    <span dir="ltr" translate="no" className={classes(styles.timecode, className)} {...slotAttribute(slot)}>
      {clock}
      {fraction !== undefined && <span data-tenths="">.{fraction}</span>}
    </span>
  );
}
