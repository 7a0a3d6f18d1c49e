import { Trans, useLingui } from '@lingui/react/macro';
import type { LabelUnit, ReadLabels } from '#base/labels/label.ts';
import { iso } from '#web/i18n/iso.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { labelEncodings, type DecodedLabelFile } from './decode-label-file.ts';
import type { ImportPlan } from './plan-import.ts';
import styles from './labels.module.css';

/** How the user wants a file to be read; null for what the file states or seems to have. */
export interface ChosenReading {
  unit: LabelUnit | null;
  encoding: string | null;
}

export interface LabelPreviewProps {
  read: ReadLabels;
  plan: ImportPlan;
  decoded: DecodedLabelFile;
  chosen: ChosenReading;
  onChange: (chosen: ChosenReading) => void;
}

const shownLabels = 3;

/** The first labels of a file as they are read, and choices of how to read them that the file doesn't state. */
export function LabelPreview({ read, plan, decoded, chosen, onChange }: LabelPreviewProps) {
  const { t } = useLingui();
  const units: { value: LabelUnit; label: string }[] = [
    { value: 'seconds', label: t`Seconds` },
    { value: 'milliseconds', label: t`Milliseconds` },
    { value: 'hours', label: t`Hours` },
  ];
  const isLate = plan.rejected.some(({ reason }) => reason === 'beyond-end');
  return (
    <div className={styles.preview}>
      <FirstLabels labels={read.labels} />
      {read.unit !== undefined && isLate && (
        <Notice tone="warn">
          <Trans>Some times are after the end of the recording. The unit may be wrong.</Trans>
        </Notice>
      )}
      {read.unit !== undefined && (
        <Select
          label={t`Times look wrong?`}
          value={read.unit}
          options={units}
          onChange={(unit) => onChange({ ...chosen, unit })}
        />
      )}
      {decoded.isGuessed && (
        <EncodingChoice
          encoding={decoded.encoding}
          onChange={(encoding) => onChange({ ...chosen, encoding })}
        />
      )}
    </div>
  );
}

function FirstLabels({ labels }: { labels: ReadLabels['labels'] }) {
  const { t } = useLingui();
  if (labels.length === 0) return null;
  return (
    <ol className={styles.first} aria-label={t`First entries`}>
      {labels.slice(0, shownLabels).map(({ atMs, text }, index) => (
        <li key={index} className={styles.label}>
          <Timecode ms={atMs} tenths />
          <span dir="auto" translate="no" className={styles.labelText}>
            {text}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Says that the encoding was guessed, and offers others under the names of languages. */
function EncodingChoice({ encoding, onChange }: { encoding: string; onChange: (encoding: string) => void }) {
  const { t, i18n } = useLingui();
  const names = new Intl.DisplayNames(i18n.locale, { type: 'language' });
  const options = labelEncodings.map(({ name, language }) => ({
    value: name,
    label: `${names.of(language) ?? language} (${name})`,
  }));
  const guessed = iso(encoding);
  return (
    <>
      <Select label={t`Letters look wrong?`} value={encoding} options={options} onChange={onChange} />
      <p className={styles.hint}>
        <Trans>The file doesn’t state its character encoding. This preview uses {guessed}.</Trans>
      </p>
    </>
  );
}
