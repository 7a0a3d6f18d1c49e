import { Trans, useLingui } from '@lingui/react/macro';
import { KeyRound } from 'lucide-react';
import { limits } from '#contract/limits.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { generatePassword } from '#web/features/sharing/terms/generate-password.ts';
import { useProblemMessages } from './use-problem-messages.ts';
import type { LinkForm } from './use-link-form.ts';
import styles from './sheet.module.css';

/** Adds, replaces or removes the password of a link. A new one is generated, and can be overwritten. */
export function PasswordField({ link }: { link: LinkForm }) {
  const { t } = useLingui();
  const problemMessages = useProblemMessages();
  const { form, set, problems } = link;
  if (typeof form.password !== 'string') return <PasswordState link={link} />;
  return (
    <div className={styles.group}>
      <TextField
        label={t`New password`}
        name="share-password"
        autoComplete="off"
        maxLength={limits.share.password.maxLength}
        description={t`Change it if you like. Listeners need it to open the link.`}
        value={form.password}
        onChange={(password) => set({ password })}
        errorMessage={problems.password && problemMessages[problems.password]}
      />
      <Unchanged link={link} />
    </div>
  );
}

/** Whether the link has a password, with what can be done about it. */
function PasswordState({ link }: { link: LinkForm }) {
  const { form, set, share, offers } = link;
  const isRemoved = form.password === null;
  const isRemovable = share.hasPassword && !isRemoved && offers.mayRemovePassword;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>
        <Trans>Password</Trans>
      </legend>
      <p className={styles.hint}>
        {isRemoved ? (
          <Trans>The password will be removed.</Trans>
        ) : (
          <StoredPassword isSet={share.hasPassword} />
        )}
      </p>
      <div className={styles.buttons}>
        <Button icon={<KeyRound aria-hidden />} onPress={() => set({ password: generatePassword() })}>
          {share.hasPassword ? <Trans>Set a new password</Trans> : <Trans>Add password</Trans>}
        </Button>
        {isRemoved && <Unchanged link={link} />}
        {isRemovable && (
          <Button variant="plain" onPress={() => set({ password: null })}>
            <Trans>Remove password</Trans>
          </Button>
        )}
      </div>
    </fieldset>
  );
}

const StoredPassword = ({ isSet }: { isSet: boolean }) =>
  isSet ? <Trans>The link asks for a password.</Trans> : <Trans>The link doesn’t ask for a password.</Trans>;

function Unchanged({ link: { set, share } }: { link: LinkForm }) {
  return (
    <div className={styles.buttons}>
      <Button variant="plain" onPress={() => set({ password: undefined })}>
        {share.hasPassword ? <Trans>Leave the password unchanged</Trans> : <Trans>Cancel</Trans>}
      </Button>
    </div>
  );
}
