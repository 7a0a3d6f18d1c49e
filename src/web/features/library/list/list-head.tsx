import type { ReactNode } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import {
  ArrowDownWideNarrow,
  Download,
  ListChecks,
  Rows4,
  Star,
  Tag as TagIcon,
  Trash2,
  X,
} from 'lucide-react';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import type { ChosenItems } from '#web/ui/lists/use-selection.ts';
import { sorts, type Sort } from '#web/features/library/view/library-view.ts';
import { useFilterMessages } from '#web/features/library/view/use-filter-messages.ts';
import { compactRows } from './density.ts';
import styles from '#web/features/library/view/view.module.css';

interface ChosenActions {
  onChooseAll: () => void;
  /** Null without an account, as are the next two. */
  onTag: (() => void) | null;
  /** `isOn`: all selected recordings are favourites. */
  favourite: { isOn: boolean; onPress: () => void } | null;
  onDownload: (() => void) | null;
  onMoveToTrash: () => void;
}

export interface ListHeadProps {
  /** The number of recordings in the list; null while it is unknown. */
  count: number | null;
  /** Null if the list can't be sorted: without an account it has a fixed order. */
  sort: Sort | null;
  onSort: (sort: Sort) => void;
  selection: ChosenItems;
  actions: ChosenActions;
  /** Rendered beside the sort order. */
  saveView: ReactNode;
}

/** The bar above the rows: number of recordings and sort order, or the actions on the selected recordings. */
export function ListHead({ count, sort, onSort, selection, actions, saveView }: ListHeadProps) {
  return (
    <div className={classes(styles.head, selection.isChoosing && styles.isChoosing)}>
      <output className={styles.count}>
        {selection.isChoosing ? (
          <Plural value={selection.chosen.size} one="# selected" other="# selected" />
        ) : (
          count !== null && <Plural value={count} one="# recording" other="# recordings" />
        )}
      </output>
      {selection.isChoosing ? (
        <SelectionActions selection={selection} count={count} actions={actions} />
      ) : (
        <Order sort={sort} onSort={onSort} saveView={saveView} />
      )}
    </div>
  );
}

function Order({ sort, onSort, saveView }: Pick<ListHeadProps, 'sort' | 'onSort' | 'saveView'>) {
  const { t } = useLingui();
  const messages = useFilterMessages();
  const isCompact = useStore(compactRows);
  return (
    <div className={styles.headActions}>
      {saveView}
      {sort !== null && (
        <Select
          label={t`Sort by`}
          labelHidden
          look="chip"
          icon={<ArrowDownWideNarrow />}
          value={sort}
          options={sorts.map((value) => ({ value, label: messages.sorts[value] }))}
          onChange={onSort}
          className={styles.sort}
        />
      )}
      <IconButton
        label={t`Compact rows`}
        icon={<Rows4 />}
        pressed={isCompact}
        onPress={() => compactRows.set(!isCompact)}
        className={styles.density}
      />
    </div>
  );
}

function SelectionActions({
  selection,
  count,
  actions,
}: Pick<ListHeadProps, 'selection' | 'count' | 'actions'>) {
  const { t } = useLingui();
  const isAll = count !== null && selection.chosen.size >= count;
  return (
    <div role="toolbar" aria-label={t`Selected recordings`} className={styles.headActions}>
      {!isAll && (
        <Button
          variant="plain"
          className={styles.action}
          icon={<ListChecks aria-hidden />}
          onPress={actions.onChooseAll}
        >
          <span className={styles.word}>
            <Trans>Select all</Trans>
          </span>
        </Button>
      )}
      {actions.onTag && (
        <Button
          variant="plain"
          className={styles.action}
          icon={<TagIcon aria-hidden />}
          onPress={actions.onTag}
        >
          <span className={styles.word}>
            <Trans>Tags</Trans>
          </span>
        </Button>
      )}
      {actions.favourite && (
        <Button
          variant="plain"
          aria-pressed={actions.favourite.isOn}
          className={styles.action}
          icon={<Star aria-hidden className={styles.star} />}
          onPress={actions.favourite.onPress}
        >
          <span className={styles.word}>
            {t({
              message: 'Favourite',
              comment: 'A switch with a star: whether a recording is one of the person’s favourites',
            })}
          </span>
        </Button>
      )}
      {actions.onDownload && (
        <Button
          variant="plain"
          className={styles.action}
          icon={<Download aria-hidden />}
          onPress={actions.onDownload}
        >
          <span className={styles.word}>
            <Trans>Download</Trans>
          </span>
        </Button>
      )}
      <Button
        variant="plain"
        data-ends
        className={styles.action}
        icon={<Trash2 aria-hidden />}
        onPress={actions.onMoveToTrash}
      >
        <span className={styles.word}>
          <Trans>Move to trash</Trans>
        </span>
      </Button>
      <IconButton label={t`Clear selection`} icon={<X />} onPress={selection.clear} />
    </div>
  );
}
