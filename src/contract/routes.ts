/**
 * Method and path of every endpoint, by name. Contains no schemas, because the page imports this table (decision
 * 0006). `endpoint()` reads both from here.
 */
export const routes = {
  signUp: 'POST /auth/signup',
  verifySignUp: 'POST /auth/signup/verify',
  resendSignUpCode: 'POST /auth/signup/resend',
  logIn: 'POST /auth/login',
  logInMfa: 'POST /auth/login/mfa',
  logOut: 'POST /auth/logout',
  getSession: 'GET /auth/session',
  changeProfile: 'PATCH /api/profile',
  listSessions: 'GET /auth/sessions',
  endSession: 'DELETE /auth/sessions/:sessionId',
  endOtherSessions: 'DELETE /auth/sessions',
  reauthenticate: 'POST /auth/reauthenticate',
  startPasskeyReauthentication: 'POST /auth/reauthenticate/passkey',
  changePassword: 'POST /auth/password',
  forgotPassword: 'POST /auth/password/forgot',
  checkPasswordReset: 'POST /auth/password/reset/check',
  resetPassword: 'POST /auth/password/reset',
  changeEmail: 'POST /auth/email',
  verifyEmail: 'POST /auth/email/verify',
  undoEmailChange: 'POST /auth/email/undo',
  startTotp: 'POST /auth/totp/begin',
  confirmTotp: 'POST /auth/totp/confirm',
  removeTotp: 'DELETE /auth/totp',
  renewRecoveryCodes: 'POST /auth/totp/recovery-codes',
  listPasskeys: 'GET /auth/passkeys',
  startPasskeyRegistration: 'POST /auth/passkeys/register/begin',
  finishPasskeyRegistration: 'POST /auth/passkeys/register/finish',
  renamePasskey: 'PATCH /auth/passkeys/:passkeyId',
  removePasskey: 'DELETE /auth/passkeys/:passkeyId',
  startPasskeySignIn: 'POST /auth/passkeys/sign-in/begin',
  finishPasskeySignIn: 'POST /auth/passkeys/sign-in/finish',
  startPasskeySignUp: 'POST /auth/passkeys/sign-up/begin',
  finishPasskeySignUp: 'POST /auth/passkeys/sign-up/finish',
  previewAccountDeletion: 'GET /auth/account/deletion',
  deleteAccount: 'DELETE /auth/account',
  listUsers: 'GET /api/admin/users',
  createResetLink: 'POST /api/admin/users/:userId/reset-link',
  changeUser: 'PATCH /api/admin/users/:userId',
  getInstallation: 'GET /api/admin/installation',
  getServerStatus: 'GET /api/admin/status',
  retryJob: 'POST /api/admin/jobs/:jobId/retry',
  disableUser: 'POST /api/admin/users/:userId/disable',
  enableUser: 'POST /api/admin/users/:userId/enable',
  getAccountHistory: 'GET /api/account/history',
  acknowledgeNotices: 'POST /api/account/notices/seen',
  listProviders: 'GET /auth/providers',
  signInWithProvider: 'POST /auth/:provider',
  unlinkProvider: 'POST /auth/unlink',
  listIdentities: 'GET /auth/identities',
  receiveProviderNotice: 'POST /auth/:provider/notices',
  listProviderSettings: 'GET /api/admin/providers',
  testProvider: 'POST /api/admin/providers/:provider/test',
  registerRecording: 'PUT /api/recordings/:recordingId',
  finishRecording: 'POST /api/recordings/:recordingId/finish',
  nameGaps: 'PUT /api/recordings/:recordingId/gaps',
  putPassage: 'PUT /api/recordings/:recordingId/passages/:passageId',
  releasePassage: 'DELETE /api/recordings/:recordingId/passages/:passageId',
  reopenRecording: 'POST /api/recordings/:recordingId/reopen',
  listRecordings: 'GET /api/recordings',
  getRecording: 'GET /api/recordings/:recordingId',
  changeRecording: 'PATCH /api/recordings/:recordingId',
  trashRecording: 'DELETE /api/recordings/:recordingId',
  restoreRecording: 'POST /api/recordings/:recordingId/restore',
  purgeRecording: 'POST /api/recordings/:recordingId/purge',
  getAudio: 'GET /api/recordings/:recordingId/audio',
  getOriginal: 'GET /api/recordings/:recordingId/original',
  getPeaks: 'GET /api/recordings/:recordingId/peaks',
  createUpload: 'PUT /api/uploads/:uploadId',
  appendUpload: 'PATCH /api/uploads/:uploadId',
  headUpload: 'HEAD /api/uploads/:uploadId',
  completeUpload: 'POST /api/uploads/:uploadId/complete',
  checkImports: 'POST /api/imports/check',
  getStorage: 'GET /api/storage',
  listMarkers: 'GET /api/recordings/:recordingId/markers',
  createMarker: 'POST /api/recordings/:recordingId/markers',
  changeMarker: 'PATCH /api/recordings/:recordingId/markers/:markerId',
  removeMarker: 'DELETE /api/recordings/:recordingId/markers/:markerId',
  listNotes: 'GET /api/recordings/:recordingId/notes',
  createNote: 'POST /api/recordings/:recordingId/notes',
  changeNote: 'PATCH /api/recordings/:recordingId/notes/:noteId',
  removeNote: 'DELETE /api/recordings/:recordingId/notes/:noteId',
  getPosition: 'GET /api/recordings/:recordingId/position',
  putPosition: 'PUT /api/recordings/:recordingId/position',
  addLabels: 'POST /api/recordings/:recordingId/labels',
  removeLabels: 'POST /api/recordings/:recordingId/labels/remove',
  listTags: 'GET /api/tags',
  createTag: 'POST /api/tags',
  changeTag: 'PATCH /api/tags/:tagId',
  removeTag: 'DELETE /api/tags/:tagId',
  listViews: 'GET /api/views',
  createView: 'POST /api/views',
  changeView: 'PATCH /api/views/:viewId',
  removeView: 'DELETE /api/views/:viewId',
  listRecordingIds: 'GET /api/recordings/ids',
  getFacets: 'GET /api/recordings/facets',
  setFavourite: 'PUT /api/recordings/:recordingId/favourite',
  changeManyRecordings: 'POST /api/recordings/bulk',
  getEvents: 'GET /api/events',
  listExportFormats: 'GET /api/exports/formats',
  downloadRecording: 'GET /api/recordings/:recordingId/download',
  createZip: 'POST /api/exports/zip',
  getZip: 'GET /api/exports/zip/:ticket',
  startAccountExport: 'POST /api/exports/account',
  getAccountExport: 'GET /api/exports/account',
  downloadAccountExport: 'GET /api/exports/account/:exportId/download',
  checkExport: 'POST /api/restores/check',
  restoreExportedAccount: 'POST /api/restores/account',
  restoreExportedRecording: 'PUT /api/restores/recordings/:recordingId',
  restoreExportedLabels: 'POST /api/restores/recordings/:recordingId/labels',
  createShare: 'POST /api/recordings/:recordingId/shares',
  listShares: 'GET /api/recordings/:recordingId/shares',
  listAllShares: 'GET /api/shares',
  changeShare: 'PATCH /api/shares/:shareId',
  revokeShare: 'DELETE /api/shares/:shareId',
  renewShareAddress: 'POST /api/shares/:shareId/address',
  revokeShares: 'POST /api/shares/revoke',
  answerShareAccess: 'PUT /api/shares/:shareId/access/:userId',
  listShareDays: 'GET /api/shares/:shareId/days',
  getSharingPolicy: 'GET /api/admin/sharing',
  changeSharingPolicy: 'PATCH /api/admin/sharing',
  listSharesAsAdmin: 'GET /api/admin/shares',
  revokeShareAsAdmin: 'DELETE /api/admin/shares/:shareId',
} as const;

export type RouteName = keyof typeof routes;

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Method and path of an endpoint that is written as `METHOD /path`. */
export type Split<Text> = Text extends `${infer M extends Method} ${infer P}`
  ? { method: M; path: P }
  : never;

/** Method and path of one endpoint. */
export type Route<Name extends RouteName> = Split<(typeof routes)[Name]>;

/** Splits `METHOD /path`. */
export function splitRoute<const Text extends string>(text: Text): Split<Text> {
  const [method, path] = text.split(' ');
  return { method, path } as Split<Text>;
}

/** Method and path of an endpoint. */
export const routeOf = <Name extends RouteName>(name: Name): Route<Name> => splitRoute(routes[name]);

/** Fills the `:name` parts of an endpoint's path, percent-encoded. */
export function pathOf({ path }: { path: string }, params: Record<string, string>): string {
  return path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`path ${path} needs a value for :${name}`);
    return encodeURIComponent(value);
  });
}
