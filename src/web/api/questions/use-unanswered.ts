import { useSyncExternalStore } from 'react';
import { hashKey, type QueryKey } from '@tanstack/react-query';
import { unanswered } from './unanswered.ts';

/** Whether the server can't be asked this question now, or has not answered it for two seconds. */
export function useUnanswered(key: QueryKey): boolean {
  const hash = hashKey(key);
  return useSyncExternalStore(unanswered.subscribe, unanswered.getSnapshot, unanswered.getSnapshot).some(
    (question) => question.hash === hash,
  );
}
