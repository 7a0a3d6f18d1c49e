import { useSession } from '#web/api/session.ts';
import styles from '#web/features/accounts/parts/settings.module.css';
import { DeleteAccount } from './delete-account.tsx';
import { EmailSection } from './email-section.tsx';
import { Profile } from './profile.tsx';

/** The user's profile, e-mail address, and account deletion. Renders nothing while signed out. */
export function ProfileSettings() {
  const { user } = useSession();
  return (
    user && (
      <div key={user.id} className={styles.page}>
        <Profile user={user} />
        <EmailSection user={user} />
        <DeleteAccount user={user} />
      </div>
    )
  );
}
