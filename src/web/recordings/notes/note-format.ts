export type NoteFormat = 'bold' | 'italic' | 'link' | 'list';

/**
 * The text that replaces `from` to `to`, and the selection afterwards. Positions are in UTF-16 units, as in a text
 * area.
 */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  selectFrom: number;
  selectTo: number;
}

interface Field {
  value: string;
  selectionStart: number;
  selectionEnd: number;
}

const marks = { bold: '**', italic: '*' } as const;
const isUrl = /^(?:https?:\/\/|mailto:)\S+$/;

/** Puts a mark around the selection, or removes it if it is there already. */
function emphasised({ value, selectionStart: from, selectionEnd: to }: Field, mark: string): Edit {
  const size = mark.length;
  const chosen = value.slice(from, to);
  if (value.slice(from - size, from) === mark && value.slice(to, to + size) === mark) {
    return { from: from - size, to: to + size, insert: chosen, selectFrom: from - size, selectTo: to - size };
  }
  return { from, to, insert: `${mark}${chosen}${mark}`, selectFrom: from + size, selectTo: to + size };
}

/** Makes the selection a link, and selects the part that is still missing. */
function linked({ value, selectionStart: from, selectionEnd: to }: Field): Edit {
  const chosen = value.slice(from, to);
  if (isUrl.test(chosen))
    return { from, to, insert: `[](${chosen})`, selectFrom: from + 1, selectTo: from + 1 };
  const address = 'https://';
  const start = from + chosen.length + 3;
  return { from, to, insert: `[${chosen}](${address})`, selectFrom: start, selectTo: start + address.length };
}

/** Makes the selected lines list items, or plain lines if all of them are items already. */
function listed({ value, selectionStart, selectionEnd }: Field): Edit {
  const from = value.lastIndexOf('\n', selectionStart - 1) + 1;
  const next = value.indexOf('\n', selectionEnd);
  const to = next === -1 ? value.length : next;
  const lines = value.slice(from, to).split('\n');
  const isList = lines.every((line) => line.startsWith('- '));
  const insert = lines.map((line) => (isList ? line.slice(2) : `- ${line}`)).join('\n');
  return {
    from,
    to,
    insert,
    selectFrom: lines.length === 1 ? from + insert.length : from,
    selectTo: from + insert.length,
  };
}

/** The edit of a text area for a toolbar button. */
export function formatted(field: Field, format: NoteFormat): Edit {
  if (format === 'link') return linked(field);
  return format === 'list' ? listed(field) : emphasised(field, marks[format]);
}
