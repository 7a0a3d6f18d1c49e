import { useLingui } from '@lingui/react/macro';
import { Globe, HardDrive, Mic } from 'lucide-react';
import { Redirect } from 'wouter';
import { AudioSettings } from '#web/features/recorder/settings/audio-settings.tsx';
import { LanguageSettings } from '#web/features/settings/language-settings.tsx';
import {
  SettingsFrame,
  type SettingsGroup,
  type SettingsSection,
} from '#web/features/settings/settings-frame.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { UnreachableNotice } from '#web/request-states/unreachable-notice.tsx';
import { useReachableSession } from '#web/app/use-reachable-session.ts';
import { paths } from '#web/app/paths.ts';
import { isOfAccount, useAccountSections } from './account-sections.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { StorageSection } from './storage-section.tsx';

/**
 * The user's settings on this device. `/settings` itself is the list of sections; wide screens show the first
 * section beside it.
 */
export function SettingsPage({ section }: { section: string | undefined }) {
  const { t } = useLingui();
  const { status, isCutOff } = useReachableSession();
  const { account, server } = useAccountSections();
  const app: SettingsSection[] = [
    {
      id: 'audio',
      href: paths.audio,
      label: t({ message: 'Recording', context: 'settings section' }),
      icon: <Mic aria-hidden />,
      content: <AudioSettings />,
    },
    {
      id: 'language',
      href: paths.language,
      label: t`Language and appearance`,
      icon: <Globe aria-hidden />,
      content: <LanguageSettings />,
    },
    {
      id: 'storage',
      href: paths.storage,
      label: t`Storage`,
      icon: <HardDrive aria-hidden />,
      content: <StorageSection />,
    },
  ];
  const groups: SettingsGroup[] = [
    { id: 'account', label: t({ message: 'You', context: 'group of settings' }), sections: account },
    { id: 'app', label: t({ message: 'App', context: 'group of settings' }), sections: app },
    { id: 'server', label: t({ message: 'Server', context: 'group of settings' }), sections: server },
  ];
  const chosen = groups.flatMap(({ sections }) => sections).find(({ id }) => id === section) ?? null;
  if (chosen !== null || section === undefined)
    return (
      <>
        {isCutOff && section === undefined && <UnreachableNotice />}
        <SettingsFrame groups={groups} chosen={chosen} listHref={paths.settings} />
      </>
    );
  if (isCutOff) return <UnreachableNotice />;
  if (status === 'unknown') return <Spinner label={t`Opening…`} />;
  return isOfAccount(section) ? <Redirect to={paths.settings} replace /> : <NotFoundPage />;
}
