type TabHint = 'confirmed' | 'signing-out' | 'signed-out';

/**
 * Hints between the tabs of this browser. Untrusted by rule: whoever receives one asks the server.
 * A browser without BroadcastChannel simply hears of changes when a tab is looked at again.
 */
export interface TabChannel {
  post(hint: TabHint): void;
  listen(receive: (hint: unknown) => void): void;
}

function openTabChannel(): TabChannel {
  if (typeof BroadcastChannel === 'undefined') return { post: () => undefined, listen: () => undefined };
  const channel = new BroadcastChannel('auth');
  return {
    post: (hint) => channel.postMessage(hint),
    listen: (receive) => channel.addEventListener('message', (event: MessageEvent<unknown>) => receive(event.data)),
  };
}

export const tabChannel = openTabChannel();
