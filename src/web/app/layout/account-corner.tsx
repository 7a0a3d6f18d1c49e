import { useLingui } from '@lingui/react/macro';
import { LogIn, LogOut, Settings, SunMoon } from 'lucide-react';
import { useLocation } from 'wouter';
import { signOut, useSession } from '#web/api/session.ts';
import { useViewer } from '#web/api/viewer.ts';
import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { iso } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { MenuButton } from '#web/ui/overlays/menu-button.tsx';
import { clearToasts, showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { lazyChunks } from '#web/app/lazy.ts';
import { paths } from '#web/app/paths.ts';
import { initialsOf } from './initials.ts';
import styles from './layout.module.css';

/**
 * The person signed in, or signed in last while the server can't be asked, else the way to sign in; nothing
 * until that is known, so that nothing flickers.
 */
export function AccountCorner() {
  const { t, i18n } = useLingui();
  const { status, isLeaving } = useSession();
  const { user, isConfirmed } = useViewer();
  const [location, navigate] = useLocation();
  const isOnForm = location === paths.signIn || location === paths.signUp;
  if (status === 'unknown' && !user) return <div className={styles.account} />;
  // On the page of the form a second button of the same name would only be in the way.
  if (!user && isOnForm) return null;
  if (!user) {
    return (
      <div className={styles.account}>
        <Button
          variant="quiet"
          icon={<LogIn aria-hidden />}
          className={styles.signIn}
          onPress={() => requestSignIn()}
        >{t`Sign in`}</Button>
      </div>
    );
  }
  const handleSignOut = () => {
    void signOut().then(
      () => {
        clearToasts();
        showToast({ message: () => t`You’re signed out. Recordings on this device stay here.` });
      },
      async (error: unknown) => {
        const { messageOf } = await lazyChunks.errorMessages();
        showFailure(() => i18n._(messageOf(error)));
      },
    );
  };
  const name = user.displayName;
  const isolatedName = iso(name);
  return (
    <div className={styles.account}>
      <MenuButton
        label={t`${isolatedName}’s account`}
        align="start"
        className={styles.user}
        items={[
          {
            id: 'appearance',
            label: t`Appearance`,
            icon: <SunMoon aria-hidden />,
            onAction: () => navigate(paths.language),
          },
          {
            id: 'settings',
            label: t`Settings`,
            icon: <Settings aria-hidden />,
            onAction: () => navigate(paths.profile),
          },
          {
            id: 'sign-out',
            label: t`Sign out`,
            icon: <LogOut aria-hidden />,
            isDisabled: isLeaving || !isConfirmed,
            onAction: handleSignOut,
          },
        ]}
      >
        <span aria-hidden data-initials={initialsOf(name)} className={styles.initials} />
        <bdi className={styles.userName} translate="no">
          {name}
        </bdi>
      </MenuButton>
    </div>
  );
}
