import { Suspense } from 'react';
import { useLingui } from '@lingui/react/macro';
import {
  Activity,
  Captions,
  KeyRound,
  MonitorSmartphone,
  PackageOpen,
  Plug,
  Share2,
  UserRound,
  Users,
} from 'lucide-react';
import { useSession } from '#web/api/session.ts';
import { UserSettings } from '#web/features/accounts/admin/user-settings.tsx';
import { SharingSettings } from '#web/features/accounts/admin/sharing-settings.tsx';
import { DeviceSettings } from '#web/features/accounts/settings/device-settings.tsx';
import { ProfileSettings } from '#web/features/accounts/settings/profile-settings.tsx';
import { SecuritySettings } from '#web/features/accounts/settings/security-settings.tsx';
import { DataSettings } from '#web/features/account-data/data-settings.tsx';
import { AccountImportSection } from '#web/features/account-import/account-import-section.tsx';
import type { SettingsSection } from '#web/features/settings/settings-frame.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { paths } from '#web/app/paths.ts';

const ids: readonly string[] = [
  'profile',
  'security',
  'devices',
  'data',
  'status',
  'people',
  'providers',
  'sharing',
  'transcripts',
];

const ProviderSettingsSection = lazyChunk(
  () => import('#web/features/accounts/admin/provider-settings.tsx'),
).component((chunk) => chunk.ProviderSettingsSection);
const StatusSettings = lazyChunk(() => import('#web/features/accounts/admin/status-settings.tsx')).component(
  (chunk) => chunk.StatusSettings,
);
const TranscriptSettings = lazyChunk(
  () => import('#web/features/accounts/speech-models/transcript-settings.tsx'),
).component((chunk) => chunk.TranscriptSettings);

/** Whether only some users have this section. For the others its URL leads to the first section they have. */
export const isOfAccount = (section: string): boolean => ids.includes(section);

/** The sections of the signed-in user, and those of an administrator. */
export function useAccountSections(): {
  account: readonly SettingsSection[];
  server: readonly SettingsSection[];
} {
  const { t } = useLingui();
  const { user } = useSession();
  const account: SettingsSection[] = [
    {
      id: 'profile',
      href: paths.profile,
      label: t`Profile`,
      icon: <UserRound aria-hidden />,
      content: <ProfileSettings />,
    },
    {
      id: 'security',
      href: paths.security,
      label: t`Sign-in and security`,
      icon: <KeyRound aria-hidden />,
      content: <SecuritySettings />,
    },
    {
      id: 'devices',
      href: paths.devices,
      label: t`Devices`,
      icon: <MonitorSmartphone aria-hidden />,
      content: <DeviceSettings />,
    },
    {
      id: 'data',
      href: paths.data,
      label: t`Your data`,
      icon: <PackageOpen aria-hidden />,
      content: <DataSettings accountImport={<AccountImportSection />} />,
    },
  ];
  const server: SettingsSection[] = [
    {
      id: 'status',
      href: paths.status,
      label: t`Server status`,
      icon: <Activity aria-hidden />,
      content: (
        <Suspense fallback={<Spinner label={t`Opening…`} />}>
          <StatusSettings />
        </Suspense>
      ),
    },
    {
      id: 'people',
      href: paths.people,
      label: t`People`,
      icon: <Users aria-hidden />,
      content: <UserSettings />,
    },
    {
      id: 'providers',
      href: paths.providers,
      label: t`Providers`,
      icon: <Plug aria-hidden />,
      content: (
        <Suspense fallback={<Spinner label={t`Opening…`} />}>
          <ProviderSettingsSection />
        </Suspense>
      ),
    },
    {
      id: 'sharing',
      href: paths.sharing,
      label: t`Sharing`,
      icon: <Share2 aria-hidden />,
      content: <SharingSettings />,
    },
    {
      id: 'transcripts',
      href: paths.transcripts,
      label: t`Transcripts`,
      icon: <Captions aria-hidden />,
      content: (
        <Suspense fallback={<Spinner label={t`Opening…`} />}>
          <TranscriptSettings />
        </Suspense>
      ),
    },
  ];
  return { account: user ? account : [], server: user?.role === 'admin' ? server : [] };
}
