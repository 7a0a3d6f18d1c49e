import type { ProviderAnswerTaken } from '#contract/provider-answer.ts';

type TabHint = 'confirmed' | 'signing-out' | 'signed-out' | ProviderAnswerTaken;

/**
 * Hints between the tabs of this browser. Untrusted by rule: whoever receives one asks the server.
 * A browser without BroadcastChannel simply hears of changes when a tab is looked at again.
 */
export interface TabChannel {
  post(hint: TabHint): void;
  /** @returns what ends the listening */
  listen(receive: (hint: unknown) => void): () => void;
}

function openTabChannel(): TabChannel {
  if (typeof BroadcastChannel === 'undefined') return { post: () => undefined, listen: () => () => undefined };
  const channel = new BroadcastChannel('auth');
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
