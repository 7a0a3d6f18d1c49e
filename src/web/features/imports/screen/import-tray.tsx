import { useRef, useState } from 'react';
import { ChevronDown, X } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx';
import { useCloseWarning } from '#web/ui/hooks/use-close-warning.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { importer } from '#web/features/imports/importer/shared-importer.ts';
import {
  hasArrived,
  type ImportItem,
  type ImportsView,
  isActive,
} from '#web/features/imports/importer/import-item.ts';
import { ImportChip, ImportHeading } from './import-chip.tsx';
import { DoneImports, LeftOut, ImportListItem, Unopened } from './import-list.tsx';
import { sectionsOf, summarise } from './import-summary.ts';
import { ImportPrompts } from './import-prompts.tsx';
import { useImportToasts } from './use-import-toasts.ts';
import styles from './import-tray.module.css';

/** The progress of the imports under way, in bytes; null if none is under way. */
function progressOf(rows: readonly ImportItem[]): { doneBytes: number; allBytes: number } | null {
  if (!rows.some(({ state }) => isActive(state))) return null;
  const counted = rows.filter(({ state }) => isActive(state) || hasArrived(state) || state.step === 'paused');
  const sum = (bytesOf: (row: ImportItem) => number) =>
    counted.reduce((total, row) => total + bytesOf(row), 0);
  return { doneBytes: sum((row) => row.sentBytes), allBytes: sum((row) => row.sizeBytes) };
}

interface Place {
  /** Whether the list would cover something. */
  isCovering: boolean;
  /** The page below it. */
  pathname: string;
}

interface Unfolding {
  isOpen: boolean;
  set: (isOpen: boolean) => void;
  /** A ref for the expand and collapse buttons: each gets the focus after the other was pressed. */
  focusNew: (button: HTMLButtonElement | null) => void;
}

/**
 * Whether the list is open. It starts as a chip if it would cover something, and becomes one on another page, until
 * files are added there. The user's choice lasts until one of them changes.
 */
function useUnfolding({ isCovering, pathname }: Place, rows: readonly ImportItem[]): Unfolding {
  // Ids sort by time, so a row that is removed makes no other one the newest.
  const newestId = rows.reduce((newest, { id }) => (id > newest ? id : newest), '');
  const [choice, setChoice] = useState({ isCovering, pathname, newestId, isOpen: !isCovering });
  const isPressed = useRef(false);
  const isOpen =
    choice.pathname === pathname && (choice.isCovering === isCovering ? choice.isOpen : !isCovering);
  if (newestId > choice.newestId)
    setChoice({ isCovering, pathname, newestId, isOpen: isOpen || !isCovering });
  return {
    isOpen,
    set: (isOpenNow) => {
      isPressed.current = true;
      setChoice({ isCovering, pathname, newestId: choice.newestId, isOpen: isOpenNow });
    },
    focusNew: (button) => {
      if (button === null || !isPressed.current) return;
      isPressed.current = false;
      button.focus();
    },
  };
}

/** All imports of this page with their progress and actions, in a corner of every page. */
export function ImportTray(place: Place) {
  const { rows: all, leftOut, unopened } = useStore(importer);
  const rows = all.filter(({ isPutAside }) => !isPutAside);
  useImportToasts(rows);
  useCloseWarning(all.some(({ needsPage }) => needsPage));
  if (rows.length === 0 && leftOut.length === 0 && unopened.length === 0) return null;
  return <ShownImports view={{ rows, leftOut, unopened }} place={place} />;
}

function ShownImports({ view: { rows, leftOut, unopened }, place }: { view: ImportsView; place: Place }) {
  const { t } = useLingui();
  const { isOpen, set, focusNew } = useUnfolding(place, rows);
  const summary = summarise(rows);
  const progress = progressOf(rows);
  const { failed, open, done } = sectionsOf(rows);
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
        {[...failed, ...open].map((row) => (
          <ImportListItem key={row.id} row={row} />
        ))}
        <DoneImports rows={done} />
        <LeftOut names={leftOut} />
        <Unopened names={unopened} />
      </ul>
    </section>
  );
}
