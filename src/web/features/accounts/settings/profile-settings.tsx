import { useSession } from '#web/api/session.ts';
import styles from '#web/features/accounts/parts/settings.module.css';
import { DeleteAccount } from './delete-account.tsx';
import { EmailSection } from './email-section.tsx';
import { Profile } from './profile.tsx';

/** Who one is here, how one is reached, and the way out. Renders nothing while nobody is signed in. */
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
