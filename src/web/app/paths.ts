import { linkPaths } from '#contract/links.ts';

/** The addresses of the screens. */
export const paths = {
  record: '/',
  library: '/library',
  recordings: '/recordings',
  recording: '/recordings/:recordingId',
  trash: '/trash',
  settings: '/settings',
  profile: '/settings/profile',
  security: '/settings/security',
  devices: '/settings/devices',
  people: '/settings/people',
  providers: '/settings/providers',
  language: '/settings/language',
  audio: '/settings/audio',
  storage: '/settings/storage',
  data: '/settings/data',
  signIn: '/sign-in',
  signUp: '/sign-up',
  resetPassword: linkPaths.resetPassword,
  undoEmailChange: linkPaths.undoEmailChange,
} as const;

/**
 * Where somebody goes who has signed in: to where they were before a redirect, but not back to the forms that
 * they are done with.
 */
export function afterSignIn(returnTo: string | null): string {
  const [path] = (returnTo ?? '').split('?', 1);
  return returnTo === null || path === paths.signIn || path === paths.signUp ? paths.library : returnTo;
}
