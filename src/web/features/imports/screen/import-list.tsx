import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { importer } from '#web/features/imports/importer/shared-importer.ts';
import { hasArrived, type ImportItem } from '#web/features/imports/importer/import-item.ts';
import { ImportActions } from './import-actions.tsx';
import { ImportStatus } from './import-status.tsx';
import { isFailed } from './import-summary.ts';
import { TrackNames } from './track-names.tsx';
import styles from './import-tray.module.css';

const buttonStyles = { buttons: styles.buttons, text: styles.text };

/** More finished imports than these are folded into one line. */
const maxUnfolded = 5;

/** One import: its file, state and actions. */
export function ImportListItem({ row }: { row: ImportItem }) {
  const { t } = useLingui();
  const { step } = row.state;
  const doneBytes = row.state.step === 'reading' ? row.state.doneBytes : row.sentBytes;
  const label = step === 'reading' ? t`Reading progress` : t`Upload progress`;
  return (
    <li className={styles.row} data-bad={isFailed(row) || undefined}>
      <div className={styles.text}>
        <span className={styles.name}>
          {hasArrived(row.state) ? (
            <Link href={`/recordings/${row.recordingId}`}>
              <UserText>{row.name}</UserText>
            </Link>
          ) : (
            <UserText>{row.name}</UserText>
          )}
        </span>
        <span className={styles.status}>
          <ImportStatus row={row} />
        </span>
        {row.isContinuing && (
          <span className={styles.status}>
            <Trans>Continues an interrupted import</Trans>
          </span>
        )}
        {row.tracks.length > 0 && (
          <span className={styles.status}>
            <TrackNames tracks={row.tracks} />
          </span>
        )}
      </div>
      <ImportActions row={row} styles={buttonStyles} />
      {(step === 'reading' || step === 'sending' || step === 'paused') && (
        <ProgressBar isSlim label={label} done={doneBytes} all={row.sizeBytes} className={styles.bar} />
      )}
    </li>
  );
}

/** Finished imports in one line, with their list behind it. A few are listed at once. */
export function DoneImports({ rows }: { rows: readonly ImportItem[] }) {
  const done = rows.length;
  if (done <= maxUnfolded) return rows.map((row) => <ImportListItem key={row.id} row={row} />);
  return (
    <li className={styles.row}>
      <details className={styles.text}>
        <summary className={styles.status}>
          <Plural value={done} one="# file imported" other="# files imported" />
        </summary>
        <ul className={styles.folded}>
          {rows.map((row) => (
            <ImportListItem key={row.id} row={row} />
          ))}
        </ul>
      </details>
    </li>
  );
}

/** The files of a chosen folder that were not tried. */
export function LeftOut({ names }: { names: readonly string[] }) {
  return (
    <NamedFiles names={names}>
      <Plural
        value={names.length}
        one="# file was skipped because it isn’t audio."
        other="# files were skipped because they aren’t audio."
      />
    </NamedFiles>
  );
}

/** The files that the system did not let the page open. */
export function Unopened({ names }: { names: readonly string[] }) {
  return (
    <NamedFiles names={names}>
      <Trans>Some files couldn’t be opened. Choose them again.</Trans>
    </NamedFiles>
  );
}

function NamedFiles({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const { t } = useLingui();
  if (names.length === 0) return null;
  return (
    <li className={styles.row}>
      <details className={styles.text}>
        <summary className={styles.status}>{children}</summary>
        <ul className={styles.names}>
          {names.map((name, index) => (
            <li key={index}>
              <UserText>{name}</UserText>
            </li>
          ))}
        </ul>
      </details>
      <div className={styles.buttons}>
        <IconButton label={t`Remove from list`} icon={<X aria-hidden />} onPress={importer.dismissNamed} />
      </div>
    </li>
  );
}
