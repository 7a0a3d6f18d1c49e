import { useState } from 'react';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStayingOpen } from '#web/ui/hooks/use-staying-open.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { importer } from '../importing.ts';
import { type ImportRow, isActive } from '../run/import-row.ts';
import { Bar, LeftOut, RowItem, Unopened } from './import-list.tsx';
import { OfferedFiles } from './offered-files.tsx';
import { UnreadFiles } from './unread-files.tsx';
import { useImportNews } from './use-import-news.ts';
import styles from './import-tray.module.css';

function Heading({ rows }: { rows: readonly ImportRow[] }) {
  const format = useFormat();
  const active = rows.filter(({ state }) => isActive(state));
  const done = rows.filter(({ state }) => state.step === 'done').length;
  if (active.length > 0) return <Plural value={active.length} one="Importing # file" other="Importing # files" />;
  if (rows.some(({ state }) => state.step === 'offered' || state.step === 'unread')) return <Trans>Import these files?</Trans>;
  if (done === 0) return <Trans>Import finished</Trans>;
  return done === rows.length ? <Plural value={done} one="# file imported" other="# files imported" /> : <Trans>{format.number(done)} of {format.number(rows.length)} imported</Trans>;
}

/** All imports of this page in a corner of the screen, on every page: how far they are, and what can be done about each. */
export function ImportTray() {
  const { t } = useLingui();
  const { rows, leftOut, unopened } = useStore(importer);
  const [isFolded, setFolded] = useState(false);
  const counted = rows.filter(({ state }) => isActive(state) || state.step === 'done' || state.step === 'paused');
  const isAnyActive = rows.some(({ state }) => isActive(state));
  const needsPage = rows.some((row) => row.needsPage && row.state.step !== 'reading');
  useImportNews(rows);
  useStayingOpen(rows.some((row) => row.needsPage));
  if (rows.length === 0 && leftOut.length === 0 && unopened.length === 0) return null;
  const sum = (bytesOf: (row: ImportRow) => number) => counted.reduce((total, row) => total + bytesOf(row), 0);
  return (
    <section className={styles.tray} aria-label={t`Imports`}>
      <div className={styles.head}>
        <h2 className={styles.heading}><Heading rows={rows} /></h2>
        <IconButton label={isFolded ? t`Show files` : t`Hide files`} icon={isFolded ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />} onPress={() => setFolded(!isFolded)} />
        {!isAnyActive && <IconButton label={t`Close imports`} icon={<X aria-hidden />} onPress={importer.dismissEnded} />}
        {isAnyActive && <Bar label={t`All imports`} done={sum((row) => row.sentBytes)} all={sum((row) => row.sizeBytes)} />}
      </div>
      {needsPage && <Notice tone="warn" className={styles.notice}><Trans>There’s no copy on this device. Keep this page open until the import is done.</Trans></Notice>}
      <OfferedFiles rows={rows} />
      <UnreadFiles rows={rows} />
      {!isFolded && <ul className={styles.list}>{rows.map((row) => <RowItem key={row.id} row={row} />)}<LeftOut names={leftOut} /><Unopened names={unopened} /></ul>}
    </section>
  );
}
