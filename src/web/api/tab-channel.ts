import type { ProviderAnswerTaken } from '#contract/provider-answer.ts';
import { openBroadcast } from '#device/site-data/broadcast.ts';

type TabHint = 'confirmed' | 'signing-out' | 'signed-out' | ProviderAnswerTaken;

/**
 * Hints between the tabs of this browser. They are untrusted: a tab that receives one asks the server. A browser
 * without BroadcastChannel notices changes when a tab becomes visible again.
 */
export interface TabChannel {
  post(hint: TabHint): void;
  /** @returns unsubscribes */
  listen(receive: (hint: unknown) => void): () => void;
}

function openTabChannel(): TabChannel {
  const channel = openBroadcast('auth');
  if (channel === null) return { post: () => undefined, listen: () => () => undefined };
  return {
    post: (hint) => channel.postMessage(hint),
    listen(receive) {
      const handle = (event: MessageEvent<unknown>) => receive(event.data);
      channel.addEventListener('message', handle);
      return () => channel.removeEventListener('message', handle);
    },
  };
}

export const tabChannel = openTabChannel();
