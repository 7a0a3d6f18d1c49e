import { useSyncExternalStore } from 'react';
import { titleSign } from './title-sign.ts';

const noSign = (): null => null;

/** The title of the document: a sign such as “On air” if there is one, the page's, then the product's. */
export function DocumentTitle({ children }: { children: string }) {
  const sign = useSyncExternalStore(titleSign.subscribe, titleSign.getSnapshot, noSign);
  return <title>{`${sign === null ? '' : `● ${sign} · `}${children} · Earshot`}</title>;
}
