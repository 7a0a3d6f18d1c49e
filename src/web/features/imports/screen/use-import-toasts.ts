import { useEffect, useEffectEvent, useRef } from 'react';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { iso } from '#web/i18n/iso.ts';
import { announce } from '#web/ui/feedback/announce.ts';
import type { ImportItem } from '#web/features/imports/importer/import-item.ts';
import { importRejectionMessage, importErrorMessages, unplayableMessage } from './import-messages.ts';

/** Announces the start, end and failure of imports to screen readers, but not their progress. */
export function useImportToasts(rows: readonly ImportItem[]): void {
  const { t, i18n } = useLingui();
  const known = useRef(new Map<string, ImportItem['state']['step']>());
  const announceChange = useEffectEvent(({ name: plainName, state }: ImportItem) => {
    const name = iso(plainName);
    if (state.step === 'done') announce(t`Imported ${name}`);
    if (state.step === 'unread') announce(t`Earshot couldn’t read ${name}. Upload it anyway?`);
    if (state.step === 'duplicate') announce(t`${name} is already in your library`);
    if (state.step === 'over-quota') announce(t`Not enough storage for ${name}`);
    const reason = reasonOf(state);
    if (reason !== null) {
      const text = i18n._(reason);
      announce(t`Couldn’t import ${name}. ${text}`);
    }
  });
  const announceOffered = useEffectEvent(() => {
    announce(t`Import these files?`);
  });
  const announceStart = useEffectEvent((count: number) => {
    announce(t`${plural(count, { one: 'Importing # file', other: 'Importing # files' })}`);
  });
  useEffect(() => {
    const before = known.current;
    known.current = new Map(rows.map(({ id, state }) => [id, state.step]));
    const fresh = rows.filter(({ id }) => !before.has(id));
    const offered = fresh.filter(({ state }) => state.step === 'offered').length;
    if (offered > 0) announceOffered();
    if (fresh.length > offered) announceStart(fresh.length - offered);
    for (const row of rows)
      if (before.has(row.id) && before.get(row.id) !== row.state.step) announceChange(row);
  }, [rows]);
}

function reasonOf(state: ImportItem['state']) {
  if (state.step === 'rejected') return importRejectionMessage(state);
  if (state.step === 'unplayable') return unplayableMessage;
  return state.step === 'failed' ? importErrorMessages[state.error] : null;
}
