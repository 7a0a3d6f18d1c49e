/** The addresses of the screens. */
export const paths = {
  record: '/',
  library: '/library',
  recordings: '/recordings',
  recording: '/recordings/:recordingId',
  trash: '/trash',
  settings: '/settings',
  profile: '/settings/profile',
  language: '/settings/language',
  audio: '/settings/audio',
  signIn: '/sign-in',
  signUp: '/sign-up',
} as const;
