import { describe, expect, it } from 'vitest';
import { momentInName } from './moment-in-name.ts';

const local = (...[year, month, day, hours = 12, minutes = 0, seconds = 0]: [number, number, number, number?, number?, number?]) => new Date(year, month - 1, day, hours, minutes, seconds).getTime();

describe('the moment in a file’s name', () => {
  it.each([
    ['2024-05-17 14.03.wav', local(2024, 5, 17, 14, 3)],
    ['20240517_140305.m4a', local(2024, 5, 17, 14, 3, 5)],
    ['20240517_1403.m4a', local(2024, 5, 17, 14, 3)],
    ['20240517140305.mp3', local(2024, 5, 17, 14, 3, 5)],
    ['202405171403.wma', local(2024, 5, 17, 14, 3)],
    ['Voice_2024_05_17T14-03-05.mp3', local(2024, 5, 17, 14, 3, 5)],
    ['Voice 240517_140305.m4a', local(2024, 5, 17, 14, 3, 5)],
    ['WhatsApp Audio 2024-05-17 at 14.03.05.opus', local(2024, 5, 17, 14, 3, 5)],
    ['WhatsApp Audio 2024-05-17 at 2.03.05 PM.ogg', local(2024, 5, 17, 14, 3, 5)],
    ['Screen Recording 2024-05-17 at 2.03.05\u202fPM.mov', local(2024, 5, 17, 14, 3, 5)],
    ['Screen Recording 2024-05-17 at 12.03.05 AM.mov', local(2024, 5, 17, 0, 3, 5)],
    ['Bildschirmaufnahme 2024-05-17 um 14.03.05.mov', local(2024, 5, 17, 14, 3, 5)],
    ['Enregistrement 2024-05-17 à 14.03.05.mov', local(2024, 5, 17, 14, 3, 5)],
    ['Grabación 2024-05-17 a las 14.03.05.mov', local(2024, 5, 17, 14, 3, 5)],
    ['Registrazione 2024-05-17 alle 14.03.05.mov', local(2024, 5, 17, 14, 3, 5)],
    ['Запись 2024-05-17 в 14.03.05.mov', local(2024, 5, 17, 14, 3, 5)],
    ['画面収録 2024-05-17 午後2.03.05.mov', local(2024, 5, 17, 14, 3, 5)],
    ['录屏2024-05-17 下午2.03.05.mov', local(2024, 5, 17, 14, 3, 5)],
    ['Aufnahme 17.05.2024 14.03.m4a', local(2024, 5, 17, 14, 3)],
    ['17.05.2024 Gespräch.m4a', local(2024, 5, 17)],
    ['AUD-20240517-WA0007.m4a', local(2024, 5, 17)],
    ['Interview 2024.05.17.mp3', local(2024, 5, 17)],
    ['1961-01-20 Inaugural speech.mp3', local(1961, 1, 20)],
    ['Cylinder 1888-06-29.wav', local(1888, 6, 29)],
    ['REC 20240229 2359.wav', local(2024, 2, 29, 23, 59)],
    ['GMT20240517-140305_Recording.m4a', Date.UTC(2024, 4, 17, 14, 3, 5)],
    ['2024-05-17T14-03-05Z.wav', Date.UTC(2024, 4, 17, 14, 3, 5)],
    ['20240517T140305+0530.wav', Date.UTC(2024, 4, 17, 8, 33, 5)],
  ])('%s', (name, ms) => expect(momentInName(name)?.ms).toBe(ms));

  it.each(['track 01.mp3', '2024-13-01.wav', '2024-02-30.wav', '120240517.mp3', 'call 4930123456.m4a', '240517.mp3', '31.02.2024.mp3', '1234567890123.amr', ''])('is none in %j', (name) => {
    expect(momentInName(name)).toBeNull();
  });

  it('is a day where no time follows', () => {
    expect([momentInName('2024-05-17 take 3.wav')?.hasTime, momentInName('2024-05-17 14.03.wav')?.hasTime]).toEqual([false, true]);
  });
});
