import type { Ref } from 'react';
import { ChevronUp, TriangleAlert, Upload } from 'lucide-react';
import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { PressButton } from '#web/ui/controls/press-button.tsx';
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx';
import type { ImportSummary } from './import-summary.ts';
import styles from './import-tray.module.css';

/** The progress of all imports in one line: the heading of the list and the text of its chip. */
export function ImportHeading({ summary }: { summary: ImportSummary }) {
  const { t } = useLingui();
  const format = useFormat();
  if (summary.kind === 'asking') return <Trans>Import these files?</Trans>;
  const { kind, done, failed, all } = summary;
  if (kind === 'under-way')
    return (
      <Trans>
        {format.number(done)} of {format.number(all)} imported
      </Trans>
    );
  if (failed === 0)
    return done === 0 ? (
      <Trans>Import finished</Trans>
    ) : (
      <Plural value={done} one="# file imported" other="# files imported" />
    );
  if (done === 0) return <Plural value={failed} one="# import failed" other="# imports failed" />;
  return t`${plural(done, { one: '# imported', other: '# imported' })}, ${plural(failed, { one: '# failed', other: '# failed' })}`;
}

interface ImportChipProps {
  summary: ImportSummary;
  /** Null if no import is under way. */
  progress: { doneBytes: number; allBytes: number } | null;
  onOpen: () => void;
  ref: Ref<HTMLButtonElement>;
}

/** The collapsed list of imports: one line, below which the page leaves space. */
export function ImportChip({ summary, progress, onOpen, ref }: ImportChipProps) {
  const { t } = useLingui();
  const hasError = summary.kind !== 'asking' && summary.failed > 0;
  return (
    <section
      className={styles.chip}
      aria-label={t`Imports`}
      data-asking={summary.kind === 'asking' || undefined}
    >
      <PressButton ref={ref} className={styles.chipButton} aria-expanded={false} onPress={onOpen}>
        {hasError ? <TriangleAlert aria-hidden /> : <Upload aria-hidden />}
        <span className={styles.chipText}>
          <ImportHeading summary={summary} />
        </span>
        <ChevronUp aria-hidden />
      </PressButton>
      {progress !== null && (
        <ProgressBar
          isSlim
          label={t`All imports`}
          done={progress.doneBytes}
          all={progress.allBytes}
          className={styles.bar}
        />
      )}
    </section>
  );
}
