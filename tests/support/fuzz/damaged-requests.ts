import fc from 'fast-check';
import type { FuzzedRequest } from './fuzz-requests.ts';

/** Texts to put in place of a number in a text or a request. */
export const numberTexts = [
  '0',
  '1',
  '-1',
  '-0',
  '2147483647',
  '2147483648',
  '4294967295',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740992',
  '9223372036854775808',
  '18446744073709551615',
  '1e3',
  '1e308',
  '1e999',
  '-1e999',
  '5e-324',
  '0.5',
  '1.0000000000000001',
  '9'.repeat(16),
  '9'.repeat(400),
  `0.${'9'.repeat(400)}`,
  '0'.repeat(400),
  '00',
  '+1',
  '0x10',
  '1_000',
  '1,5',
  '٣',
  '１',
  'NaN',
  'Infinity',
  '-Infinity',
  'null',
  '',
] as const;

/** The texts that are JSON numbers, and each text as a JSON string. */
const jsonTexts = numberTexts.flatMap((text) =>
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e-?\d+)?$/.test(text)
    ? [text, JSON.stringify(text)]
    : [JSON.stringify(text)],
);
const oddJson = ['true', '[]', '[1]', '{}', '{"valueOf":1}'];

/** No operation has a deeper body. */
const deepest = 10;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

type Path = readonly (string | number)[];

/** The paths of all numbers in a JSON document, or of all leaves if it has no numbers. */
function placesOf(value: unknown): Path[] {
  const leaves = (inner: unknown, depth: number): { path: Path; value: unknown }[] =>
    isObject(inner) && depth < deepest
      ? Object.entries(inner).flatMap(([key, each]) =>
          leaves(each, depth + 1).map((leaf) => ({ ...leaf, path: [key, ...leaf.path] })),
        )
      : [{ path: [], value: inner }];
  const all = leaves(value, 0);
  const numbers = all.filter((leaf) => typeof leaf.value === 'number');
  return (numbers.length > 0 ? numbers : all).map(({ path }) => path);
}

/** A JSON text with the value at a path replaced. */
function replacedAt(value: unknown, path: Path, text: string): string {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  const entries = Object.entries(Object(value) as object).map(([name, each]) => ({
    name,
    text: name === key ? replacedAt(each, rest, text) : JSON.stringify(each),
  }));
  return Array.isArray(value)
    ? `[${entries.map((entry) => entry.text).join(',')}]`
    : `{${entries.map((entry) => `${JSON.stringify(entry.name)}:${entry.text}`).join(',')}}`;
}

function parsed(body: string | null): { value: unknown } | null {
  try {
    return body === null ? null : { value: JSON.parse(body) as unknown };
  } catch {
    return null;
  }
}

/** The same request with one value replaced: a query or header parameter, or a number in its JSON body. */
export function withDamagedNumber(sent: FuzzedRequest): fc.Arbitrary<FuzzedRequest> {
  const parameters = sent.operation.parameters
    .filter(({ in: place }) => place !== 'path')
    .map(({ name, in: place }) =>
      fc
        .constantFrom(...numberTexts)
        .map((text): FuzzedRequest =>
          place === 'query'
            ? { ...sent, query: { ...sent.query, [name]: text } }
            : { ...sent, header: { ...sent.header, [name]: text } },
        ),
    );
  const document =
    sent.mediaType === 'application/json' && sent.operation.requestBody !== undefined
      ? parsed(sent.body)
      : null;
  const places = document !== null && isObject(document.value) ? placesOf(document.value) : [];
  const bodies =
    document !== null && places.length > 0
      ? [
          fc
            .tuple(fc.constantFrom(...places), fc.constantFrom(...jsonTexts, ...oddJson))
            .map(([path, text]): FuzzedRequest => ({
              ...sent,
              body: replacedAt(document.value, path, text),
            })),
        ]
      : [];
  const all = [...parameters, ...bodies];
  return all.length === 0 ? fc.constant(sent) : fc.oneof(...all);
}
