import { type Split, splitRoute } from './route-text.ts';

/**
 * Method and path of every call of listeners, by name. They are not in `routes`, because the app makes none of them
 * and would load their names with its first screen.
 */
export const linkRoutes = {
  getSharePage: 'GET /s/:token',
  unlockShare: 'POST /s/:token/unlock',
  requestShareAccess: 'POST /s/:token/access',
  getSharedRecording: 'GET /s/:token/recording',
  getShareAudio: 'GET /s/:token/audio',
  getSharePeaks: 'GET /s/:token/peaks',
  getShareMarkers: 'GET /s/:token/markers.vtt',
  startListen: 'POST /s/:token/listens',
  getShareEvents: 'GET /s/:token/events',
  downloadShare: 'GET /s/:token/download',
  getShareCard: 'GET /s/:token/card.png',
  getSharePlayer: 'GET /embed/:token',
  getOembed: 'GET /oembed',
} as const;

export type LinkRouteName = keyof typeof linkRoutes;

/** Method and path of one call of listeners. */
export type LinkRoute<Name extends LinkRouteName> = Split<(typeof linkRoutes)[Name]>;

/** Splits method and path of a call of listeners. */
export const linkRouteOf = <Name extends LinkRouteName>(name: Name): LinkRoute<Name> =>
  splitRoute(linkRoutes[name]);
