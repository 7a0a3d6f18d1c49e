import { i18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { session } from '#web/api/session.ts';
import { userScope } from '#web/api/user-scope.ts';
import { announce } from '#web/ui/feedback/announce.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { AccountImporter } from './account-importer.ts';

/** The id of the signed-in user, or null. */
export const importingUserId = (): string | null => session.getSnapshot().user?.id ?? null;

/** The account import of this page. */
export const accountImporter = new AccountImporter({
  onImported: () => {
    for (const queryKey of [recordingKeys.lists, recordingKeys.library])
      void queryClient.invalidateQueries({ queryKey });
  },
  onEnded: (imported) => {
    const text = () =>
      i18n._(
        msg`${plural(imported, { 0: 'Nothing new was imported.', one: '# recording was imported.', other: '# recordings were imported.' })}`,
      );
    // The settings page shows the result itself; on every other page a toast does.
    if (location.pathname === '/settings/data') announce(text());
    else showToast({ message: text, tone: 'success' });
  },
});

// An import outlives the screen where it was started. After a lost session its user continues it.
userScope.onSessionEnd(accountImporter.pause);
userScope.onUserLeft(accountImporter.drop);
