import { useLingui } from '@lingui/react/macro';
import { AudioLines, Globe, HardDrive } from 'lucide-react';
import { Redirect } from 'wouter';
import { useSession } from '#web/api/session.ts';
import { useRecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import { KeptOnServer } from '#web/features/exporting/storage/kept-on-server.tsx';
import { AudioSettings } from '#web/features/recording/audio-settings.tsx';
import { KeptOnDevice } from '#web/features/recording/kept/kept-on-device.tsx';
import { LanguageSettings } from '#web/features/settings/language-settings.tsx';
import { SettingsFrame, type SettingsSection } from '#web/features/settings/settings-frame.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { paths } from '../paths.ts';
import { isOfAccount, useAccountSections } from './account-sections.tsx';
import { dropCopies, localTakeActions } from './local-take-actions.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** The settings that apply to whoever is here; `/settings` itself leads to the first of them. */
export function SettingsPage({ section }: { section: string | undefined }) {
  const { t } = useLingui();
  const { status } = useSession();
  const { account, server } = useAccountSections();
  const open: SettingsSection[] = [
    { id: 'language', href: paths.language, label: t`Language and appearance`, icon: <Globe aria-hidden />, content: <LanguageSettings /> },
    { id: 'audio', href: paths.audio, label: t({ message: 'Recording', context: 'settings section' }), icon: <AudioLines aria-hidden />, content: <AudioSettings /> },
    { id: 'storage', href: paths.storage, label: t`Storage`, icon: <HardDrive aria-hidden />, content: <Storage /> },
  ];
  const sections = [...account, ...open, ...server];
  const shown = sections.find(({ id }) => id === section);
  if (shown) return <SettingsFrame sections={sections} shown={shown} />;
  if (status === 'unknown') return <Spinner label={t`Opening…`} />;
  if (section === undefined || isOfAccount(section)) return <Redirect to={sections[0]?.href ?? paths.language} replace />;
  return <NotFoundPage />;
}

/** What is kept, here and on the server. */
function Storage() {
  const { user } = useSession();
  const { moveToTrash } = useRecordingActions(localTakeActions);
  return (
    <>
      <KeptOnDevice onMoveToTrash={moveToTrash} />
      {user && <KeptOnServer onPurged={dropCopies} />}
    </>
  );
}
