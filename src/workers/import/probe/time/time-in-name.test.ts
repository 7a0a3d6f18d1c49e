import { describe, expect, it } from 'vitest';
import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { locales } from '#contract/locales.ts';
import { timeInName } from './time-in-name.ts';

const date = (text: string): RecordedTime => ({ kind: 'date', date: text });
const clock = (text = '14:03:05', day = '2024-05-17'): RecordedTime => ({
  kind: 'local',
  dateTime: `${day}T${text}`,
});

describe('the time in a file’s name', () => {
  it.each<[string, RecordedTime]>([
    // M7: names of macOS, German dictation, Samsung, dictation machines, Zoom, and a day before 1970.
    ['1961-01-20 Inaugural speech.mp3', date('1961-01-20')],
    ['Screen Recording 2024-05-17 at 2.03.05 PM.mov', clock()],
    ['Aufnahme 2024-05-17 um 14.03.05.m4a', clock()],
    ['17.05.2024 Gespräch.m4a', date('2024-05-17')],
    ['Voice 240517_140305.m4a', clock()],
    ['20240517140305.mp3', clock()],
    ['GMT20240517-140305_Recording.m4a', momentOf('2024-05-17T14:03:05.000Z', null)],
    // Variants of these names.
    ['2024-05-17 14.03.wav', clock('14:03:00')],
    ['20240517_140305.m4a', clock()],
    ['20240517_1403.m4a', clock('14:03:00')],
    ['202405171403.wma', clock('14:03:00')],
    ['Voice_2024_05_17T14-03-05.mp3', clock()],
    ['signal-2024-05-17-14-03-05-123.m4a', clock()],
    ['audio_2024-05-17_14-03-05.ogg', clock()],
    ['2024_0517_140305.wav', clock()],
    ['WhatsApp Audio 2024-05-17 at 14.03.05.opus', clock()],
    ['WhatsApp Audio 2024-05-17 at 2.03.05 PM.ogg', clock()],
    ['Screen Recording 2024-05-17 at 2.03.05\u202fPM.mov', clock()],
    ['Screen Recording 2024-05-17 at 12.03.05 AM.mov', clock('00:03:05')],
    ['Screen Recording 2024-05-17 at 2.03.05 p.\u00a0m..mov', clock()],
    ['Aufnahme 17.05.2024 14.03.m4a', clock('14:03:00')],
    ['240517_0001.wav', date('2024-05-17')],
    ['240517_1403.mp3', date('2024-05-17')],
    ['240517_001.mp3', date('2024-05-17')],
    ['AUD-20240517-WA0007.m4a', date('2024-05-17')],
    ['Interview 2024.05.17.mp3', date('2024-05-17')],
    ['17-05-2024 Interview.mp3', date('2024-05-17')],
    ['05-17-2024 Interview.mp3', date('2024-05-17')],
    ['2024年5月17日 14時03分05秒.m4a', clock()],
    ['2024年5月17日 録音.m4a', date('2024-05-17')],
    ['2024년 5월 17일 오후 2.03.05.m4a', clock()],
    ['٢٠٢٤-٠٥-١٧ في ١٤.٠٣.٠٥.mov', clock()],
    ['२०२४-०५-१७ १४.०३.०५.mov', clock()],
    ['Grandmother 20 January 1961.mp3', date('1961-01-20')],
    ['Grandmother January 20, 1961.mp3', date('1961-01-20')],
    ['Großmutter 20. Januar 1961.mp3', date('1961-01-20')],
    ['Abuela 20 de enero de 1961.mp3', date('1961-01-20')],
    ['Babička 20. ledna 1961.mp3', date('1961-01-20')],
    ['Бабушка 20 января 1961.mp3', date('1961-01-20')],
    ['جدتي 20 يناير 1961.mp3', date('1961-01-20')],
    ['Tape August 1962.mp3', date('1962-08')],
    ['1962-08 Tape.mp3', date('1962-08')],
    ['1961-01-20 take 3.wav', date('1961-01-20')],
    ['Cylinder 1888-06-29.wav', date('1888-06-29')],
    ['REC 20240229 2359.wav', clock('23:59:00', '2024-02-29')],
    ['2024-05-17T14-03-05Z.wav', momentOf('2024-05-17T14:03:05.000Z', null)],
    ['20240517T140305+0530.wav', momentOf('2024-05-17T08:33:05.000Z', '+0530')],
    ['abc-defg-hij (2024-05-17 14:03 GMT+2).m4a', momentOf('2024-05-17T12:03:00.000Z', '+0200')],
    ['abc-defg-hij (2024-05-17 14:03 GMT-5:30).m4a', momentOf('2024-05-17T19:33:00.000Z', '-0530')],
    ['1970-01-01 New year speech.mp3', date('1970-01-01')],
    // F14: names of people, Craig, Telegram Desktop, Sound Devices, Spanish systems and phones.
    ['17.5.2024 Gespräch.m4a', date('2024-05-17')],
    ['3.5.2024.mp3', date('2024-05-03')],
    ['Babička 17. 5. 2024.m4a', date('2024-05-17')],
    ['craig-2024-5-17_14-3.flac', date('2024-05-17')],
    ['Discord 2024-5-7.ogg', date('2024-05-07')],
    ['audio_12@01-02-2023_12-34-56.ogg', clock('12:34:56', '2023-02-01')],
    ['voice_3@13-02-2023_12-34-56.ogg', clock('12:34:56', '2023-02-13')],
    ['240517-T001.WAV', date('2024-05-17')],
    ['Grabación de pantalla 2024-05-17 a la(s) 14.03.05.mov', clock()],
    ['VID_20240517_140305123.mp4', clock()],
    ['PXL_20240517_140305123.mp4', clock()],
  ])('%s', (name, time) => expect(timeInName(name)).toEqual(time));

  it.each([
    ['Bildschirmaufnahme 2024-05-17 um 14.03.05.mov'],
    ['Enregistrement 2024-05-17 à 14.03.05.mov'],
    ['Grabación 2024-05-17 a las 14.03.05.mov'],
    ['Gravação 2024-05-17 às 14.03.05.mov'],
    ['Registrazione 2024-05-17 alle 14.03.05.mov'],
    ['Запись 2024-05-17 в 14.03.05.mov'],
    ['Запис 2024-05-17 о 14.03.05.mov'],
    ['画面収録 2024-05-17 午後2.03.05.mov'],
    ['录屏2024-05-17 下午2.03.05.mov'],
    ['화면 기록 2024-05-17 오후 2.03.05.mov'],
    ['Opname 2024-05-17 om 14.03.05.mov'],
    ['Nagranie 2024-05-17 o 14.03.05.mov'],
    ['Nahrávka 2024-05-17 v 14.03.05.mov'],
    ['Kayıt 2024-05-17 saat 14.03.05.mov'],
    ['Tallenne 2024-05-17 klo 14.03.05.mov'],
    ['Rekaman 2024-05-17 pukul 14.03.05.mov'],
    ['تسجيل 2024-05-17 في 2.03.05 م.mov'],
    ['ضبط 2024-05-17 ساعت 14.03.05.mov'],
    ['הקלטה 2024-05-17 בשעה 14.03.05.mov'],
    ['रिकॉर्डिंग 2024-05-17 को 2.03.05 PM.mov'],
    ['রেকর্ডিং 2024-05-17 এ 2.03.05 PM.mov'],
    ['ریکارڈنگ 2024-05-17 بوقت 2.03.05 PM.mov'],
    ['Rekodi 2024-05-17 saa 14.03.05.mov'],
  ])('reads the time of %s in its language', (name) => expect(timeInName(name)).toEqual(clock()));

  it.each(locales.map(({ tag }) => tag))('reads a day as the interface writes it in %s', (tag) => {
    const written = new Intl.DateTimeFormat(tag, {
      dateStyle: 'long',
      calendar: 'gregory',
      timeZone: 'UTC',
    }).format(Date.UTC(1961, 0, 20));
    expect(timeInName(`${written.replace(/[/\\:]/g, '-')}.mp3`)).toEqual(date('1961-01-20'));
  });

  it.each([
    'track 01.mp3',
    '2024-13-01.wav',
    '2024-02-30.wav',
    '120240517.mp3',
    'call 4930123456.m4a',
    '240517.mp3',
    '31.02.2024.mp3',
    '1234567890123.amr',
    '',
    'Symphony 1812.mp3',
    'Interview 1962.mp3',
    '05-06-2024.mp3',
    'may 99.mp3',
    'Mayor 2024.mp3',
    'tape 123456_001.mp3',
    // Clocks that were never set.
    '20000101_000312.m4a',
    '19700101_000000.m4a',
    '2001-01-01 00.12.05.wav',
  ])('finds no time in %j', (name) => {
    expect(timeInName(name)).toBeNull();
  });
});
