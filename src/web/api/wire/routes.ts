import type { AccountCallName } from './account-routes.ts';
import type { Api, CallName, WireRoute } from './api-types.ts';
import type { LaterCallName } from './later-routes.ts';

/**
 * The calls by which people sign in and manage their account are in `account-routes.ts`, those of later
 * screens in `later-routes.ts`: the first screen does without them.
 */
export const routes: { [Name in Exclude<CallName, AccountCallName | LaterCallName>]: WireRoute<Api[Name]> } =
  {
    logOut: { method: 'POST', path: '/auth/logout' },
    getSession: { method: 'GET', path: '/auth/session' },
    changeProfile: { method: 'PATCH', path: '/api/profile' },
    listRecordings: { method: 'GET', path: '/api/recordings' },
    getRecording: { method: 'GET', path: '/api/recordings/:recordingId' },
    registerRecording: { method: 'PUT', path: '/api/recordings/:recordingId' },
    changeRecording: { method: 'PATCH', path: '/api/recordings/:recordingId' },
    trashRecording: { method: 'DELETE', path: '/api/recordings/:recordingId' },
    restoreRecording: { method: 'POST', path: '/api/recordings/:recordingId/restore' },
    purgeRecording: { method: 'POST', path: '/api/recordings/:recordingId/purge' },
    finishRecording: { method: 'POST', path: '/api/recordings/:recordingId/finish' },
    nameGaps: { method: 'PUT', path: '/api/recordings/:recordingId/gaps' },
    reopenRecording: { method: 'POST', path: '/api/recordings/:recordingId/reopen' },
    getAudio: { method: 'GET', path: '/api/recordings/:recordingId/audio' },
    getPeaks: { method: 'GET', path: '/api/recordings/:recordingId/peaks' },
    listMarkers: { method: 'GET', path: '/api/recordings/:recordingId/markers' },
    createMarker: { method: 'POST', path: '/api/recordings/:recordingId/markers' },
    changeMarker: { method: 'PATCH', path: '/api/recordings/:recordingId/markers/:markerId' },
    removeMarker: { method: 'DELETE', path: '/api/recordings/:recordingId/markers/:markerId' },
    createUpload: { method: 'PUT', path: '/api/uploads/:uploadId' },
    appendUpload: { method: 'PATCH', path: '/api/uploads/:uploadId' },
    headUpload: { method: 'HEAD', path: '/api/uploads/:uploadId' },
    completeUpload: { method: 'POST', path: '/api/uploads/:uploadId/complete' },
    getEvents: { method: 'GET', path: '/api/events' },
  };

let later: Record<Exclude<CallName, keyof typeof routes>, { method: string; path: string }> | null = null;

/**
 * @returns the route of a call; fetches the table of the later calls with the first of them, so that the
 * others can be made on a page that is being left
 */
export async function routeOf(name: CallName): Promise<{ method: string; path: string }> {
  if (isEarly(name)) return routes[name];
  if (later === null) {
    const [{ accountRoutes }, { laterRoutes }] = await Promise.all([
      import('./account-routes.ts'),
      import('./later-routes.ts'),
    ]);
    later = { ...accountRoutes, ...laterRoutes };
  }
  return later[name];
}

const isEarly = (name: CallName): name is keyof typeof routes => name in routes;
