import { useMemo, useState } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Label } from '#base/labels/label.ts';
import { readLabels } from '#base/labels/read-labels.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { iso } from '#web/i18n/iso.ts';
import { decodeLabelFile } from './decode-label-file.ts';
import { LabelPreview, type ChosenReading } from './label-preview.tsx';
import { planImport, type ImportPlan, type LabelRejection } from './plan-import.ts';
import { useAddLabels } from './use-add-labels.ts';
import styles from './labels.module.css';

/** Rejected lines beyond this number are counted but not listed. */
const shownRejections = 50;

export interface ImportDialogProps {
  recordingId: string;
  durationMs: number;
  /** The bytes of the file. */
  file: Uint8Array;
  present: readonly Label[];
  onClose: () => void;
}

/**
 * Shows what an import would add and the first labels of the file, offers other units and encodings, and asks for
 * confirmation.
 */
export function ImportDialog({
  recordingId,
  durationMs,
  file,
  present: presentNow,
  onClose,
}: ImportDialogProps) {
  const { t, i18n } = useLingui();
  const add = useAddLabels(recordingId);
  const [present] = useState(presentNow);
  const [chosen, setChosen] = useState<ChosenReading>({ unit: null, encoding: null });
  const decoded = useMemo(
    () => decodeLabelFile(file, [i18n.locale, ...navigator.languages], chosen.encoding),
    [file, i18n.locale, chosen.encoding],
  );
  const read = useMemo(() => readLabels(decoded.text, chosen.unit), [decoded, chosen.unit]);
  const plan = useMemo(() => planImport(read, present, durationMs), [read, present, durationMs]);
  const [isAdding, setAdding] = useState(false);
  const handleAdd = async () => {
    setAdding(true);
    await add(plan.fresh);
    onClose();
  };
  return (
    <Dialog
      title={t`Import markers and notes…`}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <LabelPreview read={read} plan={plan} decoded={decoded} onChange={setChosen} chosen={chosen} />
      <Counts plan={plan} />
      {read.unknownColumns && <UnknownColumns names={read.unknownColumns} />}
      {plan.rejected.length > 0 && <Rejections rejected={plan.rejected} />}
      <div className={styles.dialogActions}>
        <Button variant="plain" onPress={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        {plan.fresh.length > 0 && (
          <Button variant="primary" isPending={isAdding} onPress={() => void handleAdd()}>
            <Trans>Add</Trans>
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Counts({ plan: { fresh, known } }: { plan: ImportPlan }) {
  const markers = fresh.filter(({ kind }) => kind === 'marker').length;
  const notes = fresh.length - markers;
  return (
    <ul className={styles.counts} aria-live="polite">
      {fresh.length === 0 && (
        <li>
          <Trans>Nothing in this file could be added.</Trans>
        </li>
      )}
      {markers > 0 && (
        <li>
          <Plural value={markers} one="# new marker" other="# new markers" />
        </li>
      )}
      {notes > 0 && (
        <li>
          <Plural value={notes} one="# new note" other="# new notes" />
        </li>
      )}
      {known > 0 && (
        <li>
          <Plural
            value={known}
            one="# is already here and won’t change"
            other="# are already here and won’t change"
          />
        </li>
      )}
    </ul>
  );
}

function UnknownColumns({ names }: { names: readonly string[] }) {
  const columns = names
    .slice(0, shownRejections)
    .map((name) => iso(name))
    .join(', ');
  return (
    <p>
      <Trans>These columns weren’t recognised and will be left out: {columns}</Trans>
    </p>
  );
}

function Rejections({ rejected }: { rejected: ImportPlan['rejected'] }) {
  const { t } = useLingui();
  const reasons: Record<LabelRejection, string> = {
    time: t`Not a valid time.`,
    columns: t`There’s no end time and no text.`,
    format: t`Choose a WebVTT, SRT, Audacity labels or CSV file.`,
    'beyond-end': t`This time is after the end of the recording.`,
    'too-long': t`This text is too long.`,
    empty: t`This note is empty.`,
    'too-many': t`This recording can’t hold any more.`,
    hours: t`The hours are missing from this time. A spreadsheet left them out.`,
    repeated: t`The same as an earlier line.`,
    differs: t`The time and the milliseconds on this line don’t match.`,
  };
  return (
    <>
      <p>
        <Plural value={rejected.length} one="# line couldn’t be added:" other="# lines couldn’t be added:" />
      </p>
      <ul className={styles.rejected}>
        {rejected.slice(0, shownRejections).map(({ line, reason }, index) => (
          <li key={index}>
            <Trans>
              Line {line}: {reasons[reason]}
            </Trans>
          </li>
        ))}
      </ul>
    </>
  );
}
