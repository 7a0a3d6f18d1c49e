import { classes } from '#web/ui/classes.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { useTakeClock } from '#web/features/recorder/recorder.ts';
import styles from './screen.module.css';

/** The clock of the take; read out only when it is asked for. */
export function TakeTime({ isResting }: { isResting: boolean }) {
  const ms = useTakeClock();
  return (
    <div role="timer" aria-live="off" className={classes(styles.clock, isResting && styles.resting)}>
      <Timecode ms={ms} tenths />
    </div>
  );
}
