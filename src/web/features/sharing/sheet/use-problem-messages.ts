import { useLingui } from '@lingui/react/macro';
import type { FormProblem } from '#web/features/sharing/terms/share-form.ts';

/** The message below a field for each rule that it can break. */
export function useProblemMessages(): Record<FormProblem, string> {
  const { t } = useLingui();
  return {
    empty: t`Fill in this field.`,
    email: t`Check the email addresses.`,
    time: t`Not a valid time.`,
    order: t`The part needs to be at least one second long.`,
    'beyond-end': t`The recording ends before this time.`,
    length: t`Use at least 8 characters.`,
    number: t`Enter a whole number, or leave it empty.`,
    address: t`Check the addresses of the websites.`,
  };
}
