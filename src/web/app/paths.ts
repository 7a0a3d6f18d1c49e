import { linkPaths } from '#contract/links.ts';

/** The paths of the screens. */
export const paths = {
  record: '/',
  library: '/library',
  recordings: '/recordings',
  recording: '/recordings/:recordingId',
  shared: '/shared',
  trash: '/trash',
  settings: '/settings',
  profile: '/settings/profile',
  security: '/settings/security',
  devices: '/settings/devices',
  status: '/settings/status',
  people: '/settings/people',
  providers: '/settings/providers',
  sharing: '/settings/sharing',
  transcripts: '/settings/transcripts',
  language: '/settings/language',
  audio: '/settings/audio',
  storage: '/settings/storage',
  data: '/settings/data',
  signIn: '/sign-in',
  signUp: '/sign-up',
  resetPassword: linkPaths.resetPassword,
  undoEmailChange: linkPaths.undoEmailChange,
} as const;

/** The path after a sign-in: the page before a redirect, but never a sign-in form. */
export function afterSignIn(returnTo: string | null): string {
  const [path] = (returnTo ?? '').split('?', 1);
  return returnTo === null || path === paths.signIn || path === paths.signUp ? paths.library : returnTo;
}
