import { useEffect } from 'react';
import { userScope } from '#web/api/user-scope.ts';

/** Whether the sheet has changes that closing it would discard. */
export const unsavedLink = userScope.createStore(false);

/** Sets `unsavedLink` while a form is shown. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    unsavedLink.set(isDirty);
    return () => unsavedLink.set(false);
  }, [isDirty]);
}
