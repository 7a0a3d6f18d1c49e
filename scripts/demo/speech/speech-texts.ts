/**
 * A passage is spoken without a break and followed by a pause. `marker` labels its start, `note` covers all of it.
 */
interface Passage {
  text: string;
  marker?: string;
  note?: string;
}

/** A text that a speech synthesiser reads for the demo. */
export interface SpeechText {
  /** The base name of its files in this folder. */
  name: string;
  /** BCP 47. */
  language: string;
  /** espeak-ng's name of the voice. */
  voice: string;
  wordsPerMinute: number;
  passages: readonly Passage[];
}

export const speechTexts: readonly SpeechText[] = [
  {
    name: 'lecture',
    language: 'en',
    voice: 'en-gb',
    wordsPerMinute: 155,
    passages: [
      {
        marker: 'Why halls answer',
        text: 'Good morning. Last week we measured how fast sound travels. Today we ask a different question: why does a hall answer when you clap in it, and why does every hall answer in its own way?',
      },
      {
        text: 'When you clap, the sound leaves your hands in every direction. A little of it reaches my ears at once. Most of it meets the walls, the ceiling and the floor, and each of them sends part of it back.',
      },
      {
        marker: 'The first reflections',
        note: 'Slide 7: the path from the stage to row 12.',
        text: 'The first reflections arrive within fifty milliseconds. We do not notice them as echoes. They make a voice louder and clearer, and this is why speaking in a meadow is so much harder work than speaking in a hall.',
      },
      {
        text: 'What comes later blurs together. We call it reverberation, and we measure it by the time that it takes to fade by sixty decibels. A living area needs half a second. A cathedral may need eight.',
      },
      {
        marker: 'Absorbing sound',
        text: 'Soft surfaces swallow sound. Curtains, carpets and people do. An empty concert hall sounds harder than a full one, and architects design the chairs so that the difference stays small.',
      },
      {
        note: 'Ask for last year’s measurements.',
        text: 'Here is an experiment for you. Record yourself in the kitchen, in the bedroom and in the stairwell of your house. Say the same sentence each time, and listen to the end of the last word.',
      },
      {
        marker: 'Question from the audience',
        text: 'There is a question at the back. Can you calculate the reverberation before the hall is built? Yes, quite well, and people have done it for more than a hundred years. You need the volume, and the area and the material of each surface.',
      },
      {
        marker: 'For next week',
        text: 'That is all for today. For next week, please read the chapter on resonance, and bring your three recordings. We will listen to them together and guess which is which.',
      },
    ],
  },
  {
    name: 'interview',
    language: 'de',
    voice: 'de',
    wordsPerMinute: 140,
    passages: [
      {
        marker: 'Kindheit',
        text: 'Ich bin im Winter geboren, in dem kleinen Haus neben der Mühle. Wir waren fünf Kinder, und ich war die Jüngste. Im Winter haben wir alle in der Küche geschlafen, weil dort der Ofen stand.',
      },
      {
        text: 'Mein Vater hat jeden Abend vorgelesen. Er hatte nur drei Bücher, aber er hat sie jedes Mal ein wenig anders gelesen. Erst viel später habe ich gemerkt, dass er kaum lesen konnte und das meiste erfunden hat.',
      },
      {
        marker: 'Der Umzug',
        note: 'Nach dem Namen des Dorfes fragen: Er ist schlecht zu verstehen.',
        text: 'Dann kam der Umzug in die Stadt. Wir hatten einen Wagen und ein Pferd, und das Klavier mussten wir zurücklassen. Meine Mutter hat sich nicht umgedreht. Sie hat nur gesagt: Das holen wir später. Wir haben es nie geholt.',
      },
      {
        marker: 'Erste Arbeit',
        text: 'Mit vierzehn habe ich in der Weberei angefangen. Der Lärm war so groß, dass wir uns mit den Händen unterhalten haben. Manche von den Zeichen kann ich heute noch.',
      },
      {
        text: 'Wenn ich heute einen Webstuhl höre, bin ich wieder vierzehn. Das ist merkwürdig mit dem Hören. Ein Bild zeigt einem, wie es war. Ein Geräusch bringt einen hin.',
      },
    ],
  },
  {
    name: 'fisherman',
    language: 'es',
    voice: 'es',
    wordsPerMinute: 150,
    passages: [
      {
        marker: 'La noche de la tormenta',
        text: 'Aquella noche salimos a las cuatro, como siempre. El mar estaba tranquilo, demasiado tranquilo. Mi hermano dijo que no le gustaba el color del cielo, pero nadie le hizo caso.',
      },
      {
        text: 'El viento llegó de golpe. En diez minutos no veíamos el puerto. Apagamos el motor para oír la campana del faro, y así, escuchando, encontramos el camino de vuelta.',
      },
      {
        marker: 'La campana',
        note: 'Preguntar si la campana todavía existe.',
        text: 'Desde entonces, cuando oigo una campana, me quedo quieto. Mis nietos se ríen. Pero yo sé que aquella noche nos salvó el oído, y no la vista.',
      },
    ],
  },
  {
    name: 'story',
    language: 'ar',
    voice: 'ar',
    wordsPerMinute: 130,
    passages: [
      {
        marker: 'بداية الحكاية',
        text: 'كان في حينا القديم رجل يصلح الساعات. لم يكن يملك ساعة واحدة، وكان يقول إن الوقت ضيف لا يُحبس في علبة.',
      },
      {
        text: 'كنا نجلس أمام دكانه كل مساء، ونسمع عشرات الساعات تدق معًا. لم تتفق اثنتان منها قط، ومع ذلك كان يعرف الوقت دائمًا.',
      },
      {
        marker: 'السؤال',
        text: 'سألته يومًا كيف يعرف. فابتسم وقال: أسمع خطوات الناس. في الصباح يسرعون، وعند الظهر يبطئون، وفي المساء يعودون إلى بيوتهم.',
      },
    ],
  },
  {
    name: 'meeting',
    language: 'fr',
    voice: 'fr-fr',
    wordsPerMinute: 155,
    passages: [
      {
        marker: 'Le jardin',
        text: 'Bonsoir à tous. Commençons par le jardin partagé. La mairie nous prête le terrain pour trois ans, mais elle nous demande de réparer la clôture avant le printemps.',
      },
      {
        marker: 'Le budget',
        note: 'Devis à demander avant vendredi.',
        text: 'Pour la clôture, nous avons reçu deux devis. Le premier est de neuf cents euros, le second de mille deux cents, mais il comprend le portail. Je propose de voter la semaine prochaine.',
      },
      {
        marker: 'La fête',
        text: 'Dernier point : la fête de juin. Il nous faut des tables, de la musique et quelqu’un qui sache faire marcher le four. Qui veut s’en occuper ?',
      },
    ],
  },
];
