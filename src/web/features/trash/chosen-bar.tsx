import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Undo2, X } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import styles from './trash.module.css';

export interface ChosenBarProps {
  count: number;
  onChooseAll: () => void;
  onRestore: () => void;
  onDelete: () => void;
  onClear: () => void;
}

/** The actions for the selected recordings. */
export function ChosenBar({ count, onChooseAll, onRestore, onDelete, onClear }: ChosenBarProps) {
  const { t } = useLingui();
  return (
    <div className={styles.head}>
      <output>
        <Plural value={count} one="# selected" other="# selected" />
      </output>
      <div role="toolbar" aria-label={t`Selected recordings`} className={styles.actions}>
        <Button variant="plain" onPress={onChooseAll}>
          <Trans>Select all</Trans>
        </Button>
        <Button icon={<Undo2 aria-hidden />} onPress={onRestore}>
          <Trans>Restore</Trans>
        </Button>
        <Button variant="danger" onPress={onDelete}>
          <Trans>Delete permanently</Trans>
        </Button>
        <IconButton label={t`Clear selection`} icon={<X />} onPress={onClear} />
      </div>
    </div>
  );
}
