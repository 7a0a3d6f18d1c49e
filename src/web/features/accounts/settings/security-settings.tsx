import { useSession } from '#web/api/session.ts';
import { LinkedSection } from './linked-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { TotpSection } from './totp-section.tsx';
import { HistorySection } from './history-section.tsx';
import styles from '#web/features/accounts/parts/settings.module.css';

/** All sign-in methods of the account. Renders nothing while signed out. */
export function SecuritySettings() {
  const { user, methods } = useSession();
  if (!user || !methods) return null;
  return (
    <div className={styles.page}>
      <PasskeysSection />
      <LinkedSection />
      <PasswordSection user={user} methods={methods} />
      {(methods.hasPassword || methods.hasTotp) && <TotpSection methods={methods} />}
      <HistorySection />
    </div>
  );
}
