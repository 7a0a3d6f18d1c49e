/**
 * Whether this browser puts zeros in the place of captured sound that it loses: WebKit on GStreamer. Nothing that a
 * page can ask tells it. WebKit on Apple's systems has another capture, and gesture events.
 */
export const fillsLossWithZeros = (): boolean =>
  navigator.vendor.startsWith('Apple') && !('GestureEvent' in globalThis);
