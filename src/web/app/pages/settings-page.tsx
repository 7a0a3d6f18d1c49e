import { useLingui } from '@lingui/react/macro';
import { AudioLines, Globe, UserRound } from 'lucide-react';
import { Redirect } from 'wouter';
import { useSession } from '#web/api/session.ts';
import { ProfileSettings } from '#web/features/accounts/profile-settings.tsx';
import { AudioSettings } from '#web/features/recording/audio-settings.tsx';
import { LanguageSettings } from '#web/features/settings/language-settings.tsx';
import { SettingsFrame, type SettingsSection } from '#web/features/settings/settings-frame.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { paths } from '../paths.ts';
import { NotFoundPage } from './not-found-page.tsx';

/** The settings that apply to whoever is here; `/settings` itself leads to the first of them. */
export function SettingsPage({ section }: { section: string | undefined }) {
  const { t } = useLingui();
  const { status } = useSession();
  const profile: SettingsSection = { id: 'profile', href: paths.profile, label: t`Profile`, icon: <UserRound aria-hidden />, content: <ProfileSettings /> };
  const open: SettingsSection[] = [
    { id: 'language', href: paths.language, label: t`Language and appearance`, icon: <Globe aria-hidden />, content: <LanguageSettings /> },
    { id: 'audio', href: paths.audio, label: t({ message: 'Recording', context: 'settings section' }), icon: <AudioLines aria-hidden />, content: <AudioSettings /> },
  ];
  const sections = status === 'signed-in' ? [profile, ...open] : open;
  const shown = sections.find(({ id }) => id === section);
  if (shown) return <SettingsFrame sections={sections} shown={shown} />;
  if (status === 'unknown') return <Spinner label={t`Opening…`} />;
  if (section === undefined || section === profile.id) return <Redirect to={sections[0]?.href ?? paths.language} replace />;
  return <NotFoundPage />;
}
