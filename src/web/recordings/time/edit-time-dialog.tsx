import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';
import { RecordedTimeText } from './recorded-time-text.tsx';
import { WhereRecorded } from './where-recorded.tsx';
import { fieldsOf, type TimeFields, timeOfFields, type TimeProblem } from './time-fields.ts';
import styles from './edit-time-dialog.module.css';

export interface EditTimeDialogProps {
  time: RecordedTime;
  onSave: (time: RecordedTime) => void;
  onClose: () => void;
}

/** Lets the user enter when a recording was made, as precisely as they know it. */
export function EditTimeDialog({ time, onSave, onClose }: EditTimeDialogProps) {
  const { t } = useLingui();
  const { locale } = useFormat();
  const [fields, setFields] = useState(() => fieldsOf(time));
  const [hasTried, setTried] = useState(false);
  const [nowMs] = useState(() => Date.now());
  const filled = timeOfFields(fields, { before: time, nowMs });
  const { problem } = filled;
  const text: Record<TimeProblem, string> = {
    year: t`Enter a four-digit year.`,
    incomplete: t`A day needs a month and year, and a time needs a day.`,
    'no-such-day': t`This day doesn’t exist.`,
    future: t`This date is in the future.`,
  };
  // An incomplete year is not an error while it is being typed.
  const error = problem !== null && hasTried ? text[problem] : null;
  const set = (change: Partial<TimeFields>) => setFields((known) => ({ ...known, ...change }));
  const handleSubmit = () => {
    setTried(true);
    if (filled.time === null) return;
    onSave(filled.time);
    onClose();
  };
  return (
    <FormDialog title={<Trans>Edit date</Trans>} onSubmit={handleSubmit} onClose={onClose}>
      <p>
        <Trans>Leave blank anything you don’t know.</Trans>
      </p>
      <div className={styles.fields}>
        <TextField
          label={t`Year`}
          value={fields.year}
          onChange={(year) => set({ year })}
          inputMode="numeric"
          maxLength={4}
          autoComplete="off"
          errorMessage={problem === 'year' || problem === 'future' ? error : null}
        />
        <Select
          label={t`Month`}
          value={fields.month}
          options={[{ value: '', label: t`No month` }, ...months(locale)]}
          onChange={(month) => set({ month })}
        />
        <TextField
          label={t`Day`}
          value={fields.date}
          onChange={(date) => set({ date })}
          inputMode="numeric"
          maxLength={2}
          autoComplete="off"
          errorMessage={problem === 'no-such-day' || problem === 'incomplete' ? error : null}
        />
        <TextField
          label={t`Time of day`}
          type="time"
          value={fields.clock}
          onChange={(clock) => set({ clock })}
        />
      </div>
      <output className={styles.shown}>
        {filled.time !== null && (
          <>
            <RecordedTimeText time={filled.time} /> <WhereRecorded time={filled.time} />
          </>
        )}
      </output>
    </FormDialog>
  );
}

/** The months of the Gregorian calendar, which the year field uses too. */
function months(locale: string): { value: string; label: string }[] {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', calendar: 'gregory', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, index) => ({
    value: String(index + 1).padStart(2, '0'),
    label: format.format(Date.UTC(2024, index, 1)),
  }));
}
