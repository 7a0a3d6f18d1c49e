import { useId, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link } from '#web/ui/controls/link.tsx';
import { useMediaQuery } from '#web/ui/hooks/use-media-query.ts';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import styles from './settings-frame.module.css';

export interface SettingsSection {
  id: string;
  href: string;
  label: string;
  icon: ReactNode;
  content: ReactNode;
}

/** Sections under one heading. A group without sections is left out. */
export interface SettingsGroup {
  id: string;
  label: string;
  sections: readonly SettingsSection[];
}

interface SettingsListProps {
  groups: readonly SettingsGroup[];
  currentId: string | null;
}

function SettingsList({ groups, currentId }: SettingsListProps) {
  const { t } = useLingui();
  const listId = useId();
  return (
    <nav aria-label={t`Settings`} className={styles.list}>
      {groups
        .filter(({ sections }) => sections.length > 0)
        .map(({ id: groupId, label: groupLabel, sections }) => (
          <div key={groupId} className={styles.group}>
            <p id={`${listId}-${groupId}`} className={styles.groupLabel}>
              {groupLabel}
            </p>
            <ul aria-labelledby={`${listId}-${groupId}`} className={styles.sections}>
              {sections.map(({ id, href, label, icon }) => (
                <li key={id}>
                  <Link
                    unstyled
                    href={href}
                    className={styles.entry}
                    {...(id === currentId ? { 'aria-current': 'page' as const } : {})}
                  >
                    {icon}
                    <span>{label}</span>
                    <ChevronRight aria-hidden className={styles.chevron} />
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}

/**
 * The list of sections beside the current one. Narrow screens show either the list or one section with a link
 * back. `chosen` is null at `/settings`, where wide screens show the first section.
 */
export function SettingsFrame({
  groups,
  chosen,
  listHref,
}: {
  groups: readonly SettingsGroup[];
  chosen: SettingsSection | null;
  listHref: string;
}) {
  const { t } = useLingui();
  const isNarrow = useMediaQuery('(width <= 760px)');
  if (isNarrow && chosen !== null) {
    return (
      <>
        <Link unstyled href={listHref} className={styles.back}>
          <ChevronLeft aria-hidden className={styles.chevron} />
          <Trans>Settings</Trans>
        </Link>
        <PageHeader title={chosen.label} />
        <div className={styles.pane}>{chosen.content}</div>
      </>
    );
  }
  const shown = chosen ?? (isNarrow ? null : groups.flatMap(({ sections }) => sections)[0]) ?? null;
  return (
    <>
      <PageHeader title={t`Settings`} />
      <div className={styles.panes}>
        <SettingsList groups={groups} currentId={shown?.id ?? null} />
        {shown !== null && <div className={styles.pane}>{shown.content}</div>}
      </div>
    </>
  );
}
