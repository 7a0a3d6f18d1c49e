import type * as accounts from '#contract/accounts-api.ts';
import type * as events from '#contract/events-api.ts';
import type * as markers from '#contract/markers-api.ts';
import type * as recordings from '#contract/recordings-api.ts';
import type * as uploads from '#contract/uploads-api.ts';

type Contract = typeof accounts & typeof recordings & typeof uploads & typeof markers & typeof events;

/** Every call of the contract by its name. Types only: the schemas weigh 25 kB, and the server is the one to check them. */
export type Api = { [Name in keyof Contract as Contract[Name] extends { method: string; path: string; access: string } ? Name : never]: Contract[Name] };
export type CallName = keyof Api;

type Route<E> = E extends { method: infer Method; path: infer Path } ? { method: Method; path: Path } : never;

/** Where each call goes. A method, a path or a name that differs from the contract's does not compile. */
export const routes: { [Name in CallName]: Route<Api[Name]> } = {
  signUp: { method: 'POST', path: '/auth/signup' },
  logIn: { method: 'POST', path: '/auth/login' },
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
