import { describe, expect, test } from 'vitest';
import { englishProblems } from './english-words.ts';

describe('rejected', () => {
  test.each([
    ['go on', 'Your recording goes on.', 'goes on'],
    ['kept', 'Everything until then is kept.', 'kept'],
    ['keep for save', 'This device keeps all recordings.', 'keeps all recordings'],
    ['room', 'There’s no room left.', 'room'],
    ['for good', 'Delete for good', 'for good'],
    ['This with a verb at the start', 'This is needed.', 'This is'],
    ['That with a verb at the start', 'That did not work', 'That did'],
    ['That with a contraction at the start', 'That’s too loud.', 'That’s'],
    ['It at the start', 'It is on.', 'It'],
    ['It with a contraction at the start', 'It’s on.', 'It'],
    ['They at the start', 'They can open your account.', 'They can'],
    ['anew', 'Sign in anew', 'anew'],
    ['at once', 'It changes at once.', 'at once'],
    ['beside', 'The icon beside the address', 'beside'],
    ['by itself', 'Recording resumes by itself.', 'by itself'],
    ['meanwhile', 'Another note was saved meanwhile.', 'meanwhile'],
    ['begin', 'Choose “Allow” to begin.', 'begin'],
    ['whoever', 'Only for whoever made it', 'whoever'],
    ['somebody', 'Somebody tried to use this address.', 'Somebody'],
    ['everybody', 'Sign everybody out', 'everybody'],
    ['nobody', 'Nobody can undo this.', 'Nobody'],
    ['a semicolon', 'The link works once; copy it now.', ';'],
    ['is not right', 'The code is not right', 'is not right'],
    ['e-mail', 'Check your e-mail', 'e-mail'],
    ['cannot', 'You cannot undo this.', 'cannot'],
    ['a verb with not', 'The server does not respond.', 'does not'],
    ['you are', 'You are signed in.', 'You are'],
    ['it is before another word', 'The copy stays until it is on the server.', 'it is'],
    ['there is no', 'Sorry, there is no sound.', 'there is no'],
    ['take', 'Discard the take', 'the take'],
    ['tab and window together', 'Recording in another tab or window', 'tab or window'],
    ['switch on', 'Switch Bluetooth on', 'Switch Bluetooth on'],
    ['program', 'Another program is using the microphone', 'program'],
    ['an idiom of another language', 'The link counts once.', 'counts once'],
    ['American spelling', 'Choose a color', 'color'],
    ['a straight apostrophe', "Can't reach the server", "'"],
    ['an exclamation mark', 'Saved!', '!'],
  ])('%s', (_, message, part) => {
    expect(englishProblems(message).some((problem) => problem.startsWith(`"${part}": use `))).toBe(true);
  });

  test('in every plural form, and inside an element', () => {
    expect(englishProblems('{count, plural, one {# file saved} other {# files are kept}}')).toHaveLength(1);
    expect(
      englishProblems('{count, plural, one {This is the last of # file} other {# files left}}'),
    ).toHaveLength(1);
    expect(englishProblems('<0>Delete {name} for good</0>')).toHaveLength(1);
  });
});

describe('accepted', () => {
  test.each([
    'Your recording continues and is safe.',
    'This recording is already complete.',
    'That code is wrong or has already been used. Wait for the next one and try again.',
    'The link works once. It can take a minute.',
    'Keep recording',
    'Keep this page open.',
    'Pick up where it is.',
    'Make sure you know who they are.',
    'In a private window',
    'Choose a colour',
    'No one can use your address without the code.',
    '{count, plural, one {# recording} other {# recordings}}',
    'Save <0>{title}</0> to “{folder}”…',
  ])('%s', (message) => {
    expect(englishProblems(message)).toEqual([]);
  });

  test('treats a placeholder as its value, not as its name', () => {
    expect(englishProblems('Storage limit: {room}')).toEqual([]);
  });
});
