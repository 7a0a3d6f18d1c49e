/**
 * Sends changes of a recording while no other sender of this browser does, so that the last change that was made is
 * the last one that arrives. An insecure page has no locks.
 */
export const withChangesLock = <Result>(recordingId: string, send: () => Promise<Result>): Promise<Result> =>
  navigator.locks?.request(`changes of ${recordingId}`, send) ?? send();
