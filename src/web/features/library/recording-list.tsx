import { useCallback, useState, type CSSProperties } from 'react';
import { useLingui } from '@lingui/react/macro';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { classes } from '#web/ui/classes.ts';
import { RecordingRow, type RowActions } from './recording-row.tsx';
import type { LocalOverviews } from './local-overviews.ts';
import type { LibraryRow } from './rows.ts';
import styles from './rows.module.css';

const estimatedRowPx = 69;
const overscannedRows = 8;

type Properties = CSSProperties & Record<`--${string}`, string>;

export interface RecordingListProps { rows: readonly LibraryRow[]; overviews: LocalOverviews; actions: RowActions | null }

/** Any number of rows; only those near the window are in the page. */
export function RecordingList({ rows, overviews, actions }: RecordingListProps) {
  const { t } = useLingui();
  const [topPx, setTopPx] = useState(0);
  const measureTop = useCallback((list: HTMLUListElement | null) => { if (list) setTopPx(list.getBoundingClientRect().top + scrollY); }, []);
  // oxlint-disable-next-line react/incompatible-library -- a warning to the React Compiler, which this project does not use
  const virtual = useWindowVirtualizer({
    count: rows.length, estimateSize: () => estimatedRowPx, overscan: overscannedRows, scrollMargin: topPx,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const height: Properties = { '--list-height': `${virtual.getTotalSize()}px` };
  return (
    <ul ref={measureTop} aria-label={t`Recordings`} className={classes(styles.rows, styles.list)} style={height}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        const place: Properties = { '--y': `${start - topPx}px` };
        return row && (
          <li key={key} ref={virtual.measureElement} data-index={index} aria-setsize={rows.length} aria-posinset={index + 1} className={styles.item} style={place}>
            <RecordingRow row={row} overviews={overviews} actions={actions} />
          </li>
        );
      })}
    </ul>
  );
}
