/**
 * To be called inside the press itself: elsewhere Safari leaves the context suspended. It is started at once,
 * because WebKit loads no worklet into a context that has never run.
 */
export function openAudioContext(): AudioContext {
  const context = new AudioContext({ latencyHint: 'playback' });
  // Whether it runs is asked again, with a limit, when the sound is led through it.
  void context.resume().catch(() => undefined);
  return context;
}
