import { expect, test } from 'vitest';
import { attachment } from './attachment.ts';

test.each([
  ['Gespräch.opus', 'attachment; filename="Gesprach.opus"; filename*=UTF-8\'\'Gespr%C3%A4ch.opus'],
  [
    'Über: alles/nichts.ogg',
    'attachment; filename="Uber- alles-nichts.ogg"; filename*=UTF-8\'\'%C3%9Cber-%20alles-nichts.ogg',
  ],
  ['会議.mp3', 'attachment; filename="recording.mp3"; filename*=UTF-8\'\'%E4%BC%9A%E8%AD%B0.mp3'],
  ['no ending', 'attachment; filename="no ending"; filename*=UTF-8\'\'no%20ending'],
  ["it's (new)!.wav", "attachment; filename=\"it's (new)!.wav\"; filename*=UTF-8''it%27s%20%28new%29%21.wav"],
])('%s is offered for download under its name', (name, header) => {
  expect(attachment(name)).toBe(header);
});

test.each(['....opus', '.opus', '... .opus'])(
  'gives a title of dots, %s, a file name that is not hidden',
  (name) => {
    expect(attachment(name)).toBe('attachment; filename="recording.opus"; filename*=UTF-8\'\'recording.opus');
  },
);

test('prevents names that end the header’s quotation, break its line or change the reading direction', () => {
  expect(attachment('a＂; filename=b.exe\r\n\u202egpj.wav')).toBe(
    'attachment; filename="a-; filename=b.exe---gpj.wav"; filename*=UTF-8\'\'a%EF%BC%82%3B%20filename%3Db.exe---gpj.wav',
  );
});
