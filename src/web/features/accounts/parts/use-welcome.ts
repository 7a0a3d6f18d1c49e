import { useLingui } from '@lingui/react/macro';
import type { User } from '#contract/accounts-api.ts';
import { ApiError } from '#web/api/api-error.ts';
import { confirmSignIn } from '#web/api/sign-in-prompt.ts';
import { iso } from '#web/i18n/iso.ts';
import { clearToasts, showToast } from '#web/ui/overlays/toast.tsx';

/**
 * The last step of every sign-in: confirms the session with the server, resumes held requests, and shows the
 * user's name.
 * @throws ApiError `cookies-refused` if the browser did not store the session
 */
export function useWelcome(): (reply: { user: User; needsName?: boolean }) => Promise<void> {
  const { t } = useLingui();
  return async ({ user, needsName = false }) => {
    if (!(await confirmSignIn())) throw new ApiError({ code: 'cookies-refused', status: 0, problem: null });
    const name = iso(user.displayName);
    clearToasts();
    showToast({
      message: () =>
        needsName
          ? t`Signed in as ${name}. Your provider didn’t send a name. You can choose one under Settings > Profile.`
          : t`Signed in as ${name}`,
      tone: 'success',
    });
  };
}
