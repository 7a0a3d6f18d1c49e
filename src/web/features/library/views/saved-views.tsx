import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { BookmarkPlus, Pencil, Trash2 } from 'lucide-react';
import type { SavedView as SavedViewFacts } from '#contract/library-api.ts';
import { limits } from '#contract/limits.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { MenuButton } from '#web/ui/controls/menu-button.tsx';
import { NameDialog } from '#web/ui/overlays/name-dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { parseView, printView, type LibraryView } from '../view/library-view.ts';
import { useViews } from './use-views.ts';
import styles from '../view/view.module.css';

type Asked = { for: 'new' } | { for: 'name'; view: SavedViewFacts };

/** The views that were saved, as links; the way to save the present one, and to rename or delete it where it is saved. */
export function SavedViews({ view, isEnabled }: { view: LibraryView; isEnabled: boolean }) {
  const { t } = useLingui();
  const { views, save, rename, remove } = useViews(isEnabled);
  const [asked, setAsked] = useState<Asked | null>(null);
  const shown = printView(view);
  const current = views.find(({ query }) => printView(parseView(query)) === shown);
  const isSavable = isEnabled && shown !== '' && !current;
  if (views.length === 0 && !isSavable) return null;
  return (
    <nav aria-label={t`Saved views`} className={styles.views}>
      {views.length > 0 && (
        <ul>
          <li><Link unstyled href={location.pathname} aria-current={shown === '' ? 'page' : undefined} className={styles.viewLink}><Trans comment="The view of the library that leaves nothing out">All recordings</Trans></Link></li>
          {views.map((saved) => (
            <SavedView key={saved.id} saved={saved} isShown={saved === current} onRename={() => setAsked({ for: 'name', view: saved })} onRemove={() => remove(saved)} />
          ))}
        </ul>
      )}
      {isSavable && <Button variant="plain" icon={<BookmarkPlus aria-hidden />} onPress={() => setAsked({ for: 'new' })}><Trans>Save view</Trans></Button>}
      {asked && <AskName asked={asked} onSave={(name) => (asked.for === 'new' ? save(name, shown) : rename(asked.view, name))} onClose={() => setAsked(null)} />}
    </nav>
  );
}

interface SavedViewProps { saved: SavedViewFacts; isShown: boolean; onRename: () => void; onRemove: () => void }

function SavedView({ saved, isShown, onRename, onRemove }: SavedViewProps) {
  const { t } = useLingui();
  const items = [
    { id: 'rename', label: t`Rename`, icon: <Pencil />, onAction: onRename },
    { id: 'remove', label: t`Delete view`, icon: <Trash2 />, onAction: onRemove },
  ];
  return (
    <li>
      <Link unstyled href={`${location.pathname}?${saved.query}`} aria-current={isShown ? 'page' : undefined} className={styles.viewLink}><UserText>{saved.name}</UserText></Link>
      {isShown && <MenuButton label={t`View options`} align="start" items={items} />}
    </li>
  );
}

function AskName({ asked, onSave, onClose }: { asked: Asked; onSave: (name: string) => void; onClose: () => void }) {
  if (asked.for === 'new') return <NameDialog title={<Trans>Save view</Trans>} name="" longest={limits.tagNameLength} onSave={onSave} onClose={onClose} />;
  return <NameDialog title={<Trans>Rename view</Trans>} name={asked.view.name} longest={limits.tagNameLength} onSave={onSave} onClose={onClose} />;
}
