import { useLingui } from '@lingui/react/macro';
import type { RowState } from './rows.ts';

/** What a row says of where its recording stands. */
export function useStateWords(): Record<RowState, string> {
  const { t } = useLingui();
  const live = t({ message: 'Recording', context: 'row state' });
  return { 'recording-here': live, receiving: live, finishing: t`Finishing`, ready: t`On server`, abandoned: t`Interrupted`, failed: t`Processing`, unheard: t`No sound found`, device: t`On device`, syncing: t`Uploading` };
}
