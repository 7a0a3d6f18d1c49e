import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { LogIn, LogOut, Settings, SunMoon } from 'lucide-react';
import { useLocation } from 'wouter';
import { useSession } from '#web/api/session.ts';
import { useViewer } from '#web/api/viewer.ts';
import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { iso } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { MenuButton } from '#web/ui/overlays/menu-button.tsx';
import { OpenedPart } from '#web/ui/overlays/opened-part.tsx';
import { layoutChunks } from './layout-chunks.ts';
import { paths } from '#web/app/paths.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { isRunning } from '#web/features/recorder/take/take.ts';
import { initialsOf } from './initials.ts';
import { signOutAndReport, stopAndSignOut } from './sign-out.ts';
import styles from './layout.module.css';

const SignOutQuestion = layoutChunks.signOutQuestion.component((chunk) => chunk.SignOutQuestion);

/**
 * The menu of the signed-in user, or of the last one while the server can't be reached; otherwise the Sign in
 * button. It stays empty until the session is known, so that nothing flickers.
 */
export function AccountCorner() {
  const { t } = useLingui();
  const { status, isLeaving } = useSession();
  const { user, isConfirmed } = useViewer();
  const [location, navigate] = useLocation();
  const [isAsking, setAsking] = useState(false);
  const handleSignOut = () => {
    if (isRunning(recorder.getSnapshot())) setAsking(true);
    else void signOutAndReport();
  };
  const closeQuestion = () => setAsking(false);
  const isOnForm = location === paths.signIn || location === paths.signUp;
  if (status === 'unknown' && !user) return <div className={styles.account} />;
  // The page of the form has a button of the same name.
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
      {isAsking && (
        <OpenedPart onClose={closeQuestion}>
          <SignOutQuestion
            onSignOut={() => void signOutAndReport()}
            onStopAndSignOut={() => void stopAndSignOut()}
            onClose={closeQuestion}
          />
        </OpenedPart>
      )}
    </div>
  );
}
