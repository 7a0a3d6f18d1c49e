import { useLingui } from '@lingui/react';
import { useCallback } from 'react';
import { messageOf } from './messages/error-message.ts';

/** Gives the words, in the interface language, for whatever a call or a device failed with. */
export function useErrorMessage(): (error: unknown) => string {
  const { i18n } = useLingui();
  return useCallback((error: unknown) => i18n._(messageOf(error)), [i18n]);
}
