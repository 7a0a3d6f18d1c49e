import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Pencil } from 'lucide-react';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { EditTimeDialog } from '#web/recordings/time/edit-time-dialog.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';

/** The button beside the date of a recording, and what it opens. */
export function EditTime({ time, onSave }: { time: RecordedTime; onSave: (time: RecordedTime) => void }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={t`Edit date`} icon={<Pencil aria-hidden />} onPress={() => setOpen(true)} />
      {isOpen && <EditTimeDialog time={time} onSave={onSave} onClose={() => setOpen(false)} />}
    </>
  );
}
