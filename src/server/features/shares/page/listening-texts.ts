import type { I18n } from '@lingui/core';
import type { ListeningTexts } from '#contract/listening-page.ts';
import type { GapCause } from '#contract/recordings.ts';

/** Messages that the page's script shows. It replaces what is in braces. */
export const scriptTexts = (i18n: I18n): ListeningTexts => ({
  play: i18n._('Play recording'),
  pause: i18n._('Pause playback'),
  place: i18n._('{position}, {length} in total', { position: '{position}', length: '{length}' }),
  loading: i18n._('Loading the recording…'),
  failed: i18n._('Couldn’t load the recording. Check your connection, then try again.'),
  reconnecting: i18n._('Connection lost. Playback resumes automatically.'),
  preparing: waitingTexts(i18n).preparing.title,
  unplayable: i18n._('Your browser can’t play this recording.'),
  unplayableLive: i18n._(
    'Your browser can’t play this recording while it’s live. You can leave this page open and play it once the recording has ended.',
  ),
  liveEnded: i18n._('The live recording has ended. You can play all of it now.'),
  offRecord: i18n._('The speaker has muted the sound. It continues when the speaker unmutes it.'),
  offRecordPassage: i18n._('The speaker has muted this passage.'),
  wrongPassword: i18n._('Wrong password. Check it, then try again.'),
  tooManyTries: i18n._('Too many tries. Wait a moment, then try again.'),
  passwordLocked: i18n._(
    'Too many wrong passwords were entered. Ask the person who sent you the link for a new password.',
  ),
  cookieRejected: i18n._(
    'Your browser rejected the cookie that remembers the password. Allow cookies for this page, then try again.',
  ),
});

/** Labels of the player's controls that never change. */
export const controlTexts = (i18n: I18n) => ({
  player: i18n._('Audio player'),
  back: i18n._('Back 15 seconds'),
  forward: i18n._('Forward 15 seconds'),
  speed: i18n._('Playback speed'),
  position: i18n._('Playback position'),
  live: i18n._('Live now'),
  goLive: i18n._('Jump to live'),
  retry: i18n._('Load again'),
  openPage: i18n._('Open in Earshot'),
  limited: i18n._('The number of times this link can be played is limited. Each start counts.'),
  startListening: i18n._('Start listening'),
});

/** Headings and facts around the player. */
export const factTexts = (i18n: I18n) => ({
  untitled: i18n._('Shared recording'),
  moments: i18n._('Marked moments'),
  unnamedMoment: i18n._('Unnamed moment'),
  notes: i18n._('Notes on the recording'),
  gaps: i18n._('Missing audio'),
  more: i18n._('Show more'),
  offRecord: i18n._('Muted by the speaker'),
  downloads: i18n._('Download the audio'),
  counted: i18n._('The sender can see how often this link is opened, but not by whom.'),
  language: i18n._('Language of this page'),
  sharedWith: i18n._('Shared with Earshot'),
  originalFile: i18n._('The original file'),
});

/** Why audio is missing. */
export const gapTexts = (i18n: I18n): Record<GapCause, string> => ({
  'microphone-lost': i18n._('Microphone was disconnected'),
  interrupted: i18n._('Microphone permission was withdrawn'),
  'device-slept': i18n._('Device was asleep'),
  'page-killed': i18n._('Page was closed'),
  stopped: i18n._('Recording was stopped'),
  'storage-full': i18n._('Device was full'),
  'browser-busy': i18n._('Browser was too busy'),
  'not-in-file': i18n._('No audio in the file'),
  unknown: i18n._('Reason isn’t known'),
});

/** The length of several small gaps close to each other, and where the last one ends. */
export const stretchText = (i18n: I18n, { length, until }: { length: string; until: string }): string =>
  i18n._('about {length} in small pieces until {until}', { length, until });

interface Notice {
  title: string;
  text: string;
}

/** Why there is nothing to play yet, by the state of the recording. */
export const waitingTexts = (
  i18n: I18n,
): Record<'not-started' | 'preparing' | 'held' | 'failed', Notice> => ({
  'not-started': {
    title: i18n._('The recording hasn’t started yet'),
    text: i18n._('You can leave this page open. The player appears when recording starts.'),
  },
  preparing: {
    title: i18n._('The audio is being prepared'),
    text: i18n._('You can leave this page open. The player appears when the audio is ready.'),
  },
  held: {
    title: i18n._('The live recording has ended'),
    text: i18n._('The sender hasn’t released the recording yet. You can leave this page open.'),
  },
  failed: {
    title: i18n._('The recording can’t be played'),
    text: i18n._('The server couldn’t prepare the audio. Ask the person who sent you the link for the file.'),
  },
});

/** The form that asks for the password of a link, and the one that asks again in place. */
export const passwordTexts = (i18n: I18n) => ({
  title: i18n._('Enter the password to listen'),
  hint: i18n._('You get the password from the person who sent you the link.'),
  label: i18n._('Password of this link'),
  open: i18n._('Open recording'),
  againTitle: i18n._('Enter the password again'),
  againHint: i18n._(
    'The link asks for its password again after 12 hours, or when it has changed. Playback continues where it stopped.',
  ),
});

/** The titles and texts of pages that show no recording. */
export const noticeTexts = (i18n: I18n) => ({
  expired: {
    title: i18n._('This link has ended'),
    text: i18n._('The link has expired. To listen, ask the person who sent it to you for a new one.'),
  },
  revoked: {
    title: i18n._('This link has ended'),
    text: i18n._('The person who shared the recording has closed this link.'),
  },
  'used-up': {
    title: i18n._('This link has ended'),
    text: i18n._('The recording has been played as often as this link allowed.'),
  },
  unavailable: {
    title: i18n._('This link isn’t available right now'),
    text: i18n._('The recording isn’t available at the moment. The link may work again later.'),
  },
  unknown: {
    title: i18n._('We can’t find this link'),
    text: i18n._('Check the address. Copied links sometimes lose their last characters.'),
  },
  notForYou: {
    title: i18n._('This link is for someone else'),
    text: i18n._(
      'Your account isn’t among those that can open it. For access, ask the person who sent you the link to add your email address.',
    ),
  },
  mayAsk: {
    title: i18n._('This link is for someone else'),
    text: i18n._(
      'Your account isn’t among those that can open it. If you ask for access, the person who shared the recording sees your name and email address.',
    ),
  },
  hasAsked: {
    title: i18n._('You asked for access'),
    text: i18n._(
      'The person who shared the recording has your request. If they allow it, this page opens the recording.',
    ),
  },
  signIn: {
    title: i18n._('Sign in to listen'),
    text: i18n._(
      'This link is for people with an account on this server. After you sign in, you come back here.',
    ),
  },
  tooMany: {
    title: i18n._('Too many requests'),
    text: i18n._('Wait a minute, then load this page again.'),
  },
});
