/** What a column of a CSV file holds. */
export type Column = 'start' | 'end' | 'startMs' | 'endMs' | 'duration' | 'label' | 'description' | 'kind' | 'colour';

/** What programs call their columns: ours, Audition, Premiere, Resolve, Reaper, and spreadsheets in the languages of the interface. */
const names: Readonly<Record<Column, readonly string[]>> = {
  start: [
    'start', 'begin', 'time', 'from', 'in', 'start time', 'time (s)', 'timestamp', 'timecode', 'position', 'start (s)',
    'beginn', 'anfang', 'von', 'zeit', 'début', 'debut', 'de', 'temps', 'inicio', 'desde', 'tiempo', 'inizio', 'da', 'tempo', 'início', 'tijd', 'van',
    'początek', 'od', 'czas', 'začátek', 'čas', 'начало', 'время', 'с', 'початок', 'час', 'alku', 'aika', 'başlangıç', 'zaman', 'mulai', 'waktu', 'mwanzo', 'muda',
    'البداية', 'الوقت', 'من', 'شروع', 'زمان', 'از', 'התחלה', 'זמן', 'شروعات', 'وقت', 'शुरू', 'समय', 'শুরু', 'সময়', '開始', '時間', '시작', '시간', '开始', '时间',
  ],
  end: [
    'end', 'stop', 'to', 'out', 'end time', 'end (s)', 'ende', 'bis', 'fin', 'à', 'hasta', 'fine', 'a', 'fim', 'até', 'eind', 'einde', 'tot', 'koniec', 'do', 'konec',
    'конец', 'по', 'кінець', 'loppu', 'bitiş', 'akhir', 'selesai', 'mwisho', 'النهاية', 'إلى', 'پایان', 'تا', 'סיום', 'סוף', 'اختتام', 'अंत', 'শেষ', '終了', '끝', '종료', '结束',
  ],
  // Ours: whole milliseconds, which spreadsheets leave as they are in every language.
  startMs: ['start_ms', 'start (ms)'],
  endMs: ['end_ms', 'end (ms)'],
  duration: ['duration', 'length', 'dauer', 'länge', 'durée', 'duración', 'durata', 'duração', 'duur', 'czas trwania', 'trvání', 'длительность', 'тривалість', 'kesto', 'süre', 'durasi', 'المدة', 'مدت', 'משך', 'अवधि', 'সময়কাল', '長さ', '길이', '时长'],
  label: [
    'label', 'text', 'name', 'title', 'marker name', 'marker', 'beschriftung', 'bezeichnung', 'titel', 'markierung', 'libellé', 'texte', 'nom', 'titre', 'etiqueta', 'texto', 'nombre', 'título',
    'etichetta', 'testo', 'nome', 'titolo', 'tekst', 'naam', 'etykieta', 'nazwa', 'popisek', 'název', 'метка', 'текст', 'название', 'мітка', 'назва', 'teksti', 'nimi', 'etiket', 'metin', 'ad',
    'teks', 'nama', 'judul', 'maandishi', 'jina', 'النص', 'الاسم', 'متن', 'نام', 'טקסט', 'שם', 'عنوان', 'पाठ', 'नाम', 'লেখা', 'নাম', 'ラベル', '名前', 'テキスト', '이름', '텍스트', '标签', '文本', '名称',
  ],
  description: ['description', 'notes', 'note', 'comment', 'comments', 'beschreibung', 'kommentar', 'notiz', 'commentaire', 'descripción', 'comentario', 'descrizione', 'commento', 'descrição', 'comentário', 'opmerking', 'opis', 'popis', 'описание', 'опис', 'kuvaus', 'açıklama', 'deskripsi', 'maelezo'],
  kind: ['kind', 'type', 'marker type'],
  colour: ['colour', 'color'],
};

const columns = new Map(Object.entries(names).flatMap(([column, all]) => all.map((name) => [name, column as Column] as const)));

/** The column of a header's cell; null for one that is not known. */
export const columnNamed = (cell: string): Column | null => columns.get(cell.normalize('NFC').trim().toLowerCase()) ?? null;
