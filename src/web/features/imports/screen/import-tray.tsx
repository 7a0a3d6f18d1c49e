import { useRef, useState } from 'react';
import { ChevronDown, X } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx';
import { useCloseWarning } from '#web/ui/hooks/use-close-warning.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { importer } from '#web/features/imports/importer/shared-importer.ts';
import { type ImportItem, type ImportsView, isActive } from '#web/features/imports/importer/import-item.ts';
import { ImportChip, ImportHeading } from './import-chip.tsx';
import { LeftOut, ImportListItem, Unopened } from './import-list.tsx';
import { summarise } from './import-summary.ts';
import { ImportPrompts } from './import-prompts.tsx';
import { useImportToasts } from './use-import-toasts.ts';
import styles from './import-tray.module.css';

/** The progress of the imports under way, in bytes; null if none is under way. */
function progressOf(rows: readonly ImportItem[]): { doneBytes: number; allBytes: number } | null {
  if (!rows.some(({ state }) => isActive(state))) return null;
  const counted = rows.filter(
    ({ state }) => isActive(state) || state.step === 'done' || state.step === 'paused',
  );
  const sum = (bytesOf: (row: ImportItem) => number) =>
    counted.reduce((total, row) => total + bytesOf(row), 0);
  return { doneBytes: sum((row) => row.sentBytes), allBytes: sum((row) => row.sizeBytes) };
}

interface Unfolding {
  isOpen: boolean;
  set: (isOpen: boolean) => void;
  /** A ref for the expand and collapse buttons: each gets the focus after the other was pressed. */
  focusNew: (button: HTMLButtonElement | null) => void;
}

/**
 * Whether the list is open. It starts as a chip if it would cover something. The user's choice lasts until that
 * changes.
 */
function useUnfolding(isCovering: boolean): Unfolding {
  const [choice, setChoice] = useState({ isCovering, isOpen: !isCovering });
  const isPressed = useRef(false);
  return {
    isOpen: choice.isCovering === isCovering ? choice.isOpen : !isCovering,
    set: (isOpen) => {
      isPressed.current = true;
      setChoice({ isCovering, isOpen });
    },
    focusNew: (button) => {
      if (button === null || !isPressed.current) return;
      isPressed.current = false;
      button.focus();
    },
  };
}

/**
 * All imports of this page with their progress and actions, in a corner of every page.
 * @param isCovering whether the list would cover something, so that it starts as a chip
 */
export function ImportTray({ isCovering }: { isCovering: boolean }) {
  const { rows: all, leftOut, unopened } = useStore(importer);
  const rows = all.filter(({ isPutAside }) => !isPutAside);
  useImportToasts(rows);
  useCloseWarning(all.some(({ needsPage }) => needsPage));
  if (rows.length === 0 && leftOut.length === 0 && unopened.length === 0) return null;
  return <ShownImports view={{ rows, leftOut, unopened }} isCovering={isCovering} />;
}

function ShownImports({
  view: { rows, leftOut, unopened },
  isCovering,
}: {
  view: ImportsView;
  isCovering: boolean;
}) {
  const { t } = useLingui();
  const { isOpen, set, focusNew } = useUnfolding(isCovering);
  const summary = summarise(rows);
  const progress = progressOf(rows);
  if (!isOpen)
    return <ImportChip ref={focusNew} summary={summary} progress={progress} onOpen={() => set(true)} />;
  return (
    <section className={styles.tray} aria-label={t`Imports`}>
      <div className={styles.head}>
        <h2 className={styles.heading}>
          <ImportHeading summary={summary} />
        </h2>
        <IconButton
          ref={focusNew}
          label={t`Hide files`}
          icon={<ChevronDown aria-hidden />}
          onPress={() => set(false)}
        />
        {progress === null && (
          <IconButton label={t`Close imports`} icon={<X aria-hidden />} onPress={importer.close} />
        )}
        {progress !== null && (
          <ProgressBar
            isSlim
            label={t`All imports`}
            done={progress.doneBytes}
            all={progress.allBytes}
            className={styles.bar}
          />
        )}
      </div>
      {rows.some(({ isCopyMissing }) => isCopyMissing) && (
        <Notice tone="warn" className={styles.notice}>
          <Trans>This device couldn’t store a copy. Keep this page open until the import is done.</Trans>
        </Notice>
      )}
      <ImportPrompts rows={rows} />
      <ul className={styles.list}>
        {rows.map((row) => (
          <ImportListItem key={row.id} row={row} />
        ))}
        <LeftOut names={leftOut} />
        <Unopened names={unopened} />
      </ul>
    </section>
  );
}
