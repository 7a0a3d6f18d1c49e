import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { BookmarkPlus, Pencil, Trash2 } from 'lucide-react';
import type { SavedView as SavedViewFacts } from '#contract/library-api.ts';
import { limits } from '#contract/limits.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { MenuButton } from '#web/ui/overlays/menu-button.tsx';
import { NameDialog } from '#web/ui/overlays/name-dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { parseView, printView, type LibraryView } from './library-view.ts';
import { useViews } from './use-views.ts';
import styles from './view.module.css';

interface ViewProps {
  view: LibraryView;
  isEnabled: boolean;
}

/** Saves the current view. It is beside the count, so that the search field does not move while the user types. */
export function SaveView({ view, isEnabled }: ViewProps) {
  const { views, save } = useViews(isEnabled);
  const [isNaming, setNaming] = useState(false);
  const shown = printView(view);
  if (!isEnabled || shown === '' || views.some(({ query }) => printView(parseView(query)) === shown))
    return null;
  return (
    <>
      <Button variant="plain" icon={<BookmarkPlus aria-hidden />} onPress={() => setNaming(true)}>
        <Trans>Save view</Trans>
      </Button>
      {isNaming && (
        <NameDialog
          title={<Trans>Save view</Trans>}
          name=""
          maxLength={limits.tagNameLength}
          onSave={(name) => save(name, shown)}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

/** Links to the saved views; the current one can be renamed and deleted. */
export function SavedViews({ view, isEnabled }: ViewProps) {
  const { t } = useLingui();
  const { views, rename, remove } = useViews(isEnabled);
  const [renamed, setRenamed] = useState<SavedViewFacts | null>(null);
  const shown = printView(view);
  const current = views.find(({ query }) => printView(parseView(query)) === shown);
  if (views.length === 0) return null;
  return (
    <nav aria-label={t`Saved views`} className={styles.views}>
      <ul>
        <li>
          <Link
            unstyled
            href={location.pathname}
            aria-current={shown === '' ? 'page' : undefined}
            className={styles.viewLink}
          >
            <Trans comment="The view of the library that leaves nothing out">All recordings</Trans>
          </Link>
        </li>
        {views.map((saved) => (
          <SavedView
            key={saved.id}
            saved={saved}
            isShown={saved === current}
            onRename={() => setRenamed(saved)}
            onRemove={() => remove(saved)}
          />
        ))}
      </ul>
      {renamed && (
        <NameDialog
          title={<Trans>Rename view</Trans>}
          name={renamed.name}
          maxLength={limits.tagNameLength}
          onSave={(name) => rename(renamed, name)}
          onClose={() => setRenamed(null)}
        />
      )}
    </nav>
  );
}

interface SavedViewProps {
  saved: SavedViewFacts;
  isShown: boolean;
  onRename: () => void;
  onRemove: () => void;
}

function SavedView({ saved, isShown, onRename, onRemove }: SavedViewProps) {
  const { t } = useLingui();
  const items = [
    { id: 'rename', label: t`Rename`, icon: <Pencil />, onAction: onRename },
    { id: 'remove', label: t`Delete view`, icon: <Trash2 />, onAction: onRemove },
  ];
  return (
    <li>
      <Link
        unstyled
        href={`${location.pathname}?${saved.query}`}
        aria-current={isShown ? 'page' : undefined}
        className={styles.viewLink}
      >
        <UserText>{saved.name}</UserText>
      </Link>
      {isShown && <MenuButton label={t`View options`} align="start" items={items} />}
    </li>
  );
}
