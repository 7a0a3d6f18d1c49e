import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;
const schemaSchema = z.record(z.string(), z.unknown());
const isSchema = (value: unknown): value is JsonSchema =>
  schemaSchema.safeParse(value).success && !Array.isArray(value);

/** Texts that have broken servers before. */
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 2000 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '%00',
    '%',
    '_',
    '\\',
    '../..',
    "' or 1=1 --",
    '\u202eabc',
    '🦉'.repeat(90),
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '1e999',
    '-1',
    'https://evil.example',
    '//evil.example',
  ),
);
const oddValue = fc.oneof(
  oddText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -1, 2 ** 53, [], {}),
);

export interface KnownValues {
  ids: string[];
  tokens: string[];
  emails: string[];
  passwords: string[];
  providers: string[];
}

/** Values for a JSON Schema of the document: mostly valid ones, sometimes arbitrary ones. */
export class SchemaArbitraries {
  readonly #components: JsonSchema;
  readonly #known: KnownValues;
  readonly #isFitting: boolean;

  /** `isFitting` restricts the values to valid ones with known ids. */
  constructor(document: JsonSchema, known: KnownValues, { isFitting = false } = {}) {
    const { components } = z.object({ components: z.object({ schemas: schemaSchema }) }).parse(document);
    this.#components = components.schemas;
    this.#known = known;
    this.#isFitting = isFitting;
  }

  /** A value for a schema. One in eight is arbitrary, unless `isFitting` is set. */
  of(schema: unknown, name = ''): Arbitrary<unknown> {
    const fitting = this.#fitting(isSchema(schema) ? schema : {}, name);
    return this.#isFitting
      ? fitting
      : fc.oneof({ weight: 7, arbitrary: fitting }, { weight: 1, arbitrary: oddValue });
  }

  #fitting(schema: JsonSchema, name: string): Arbitrary<unknown> {
    if (typeof schema['$ref'] === 'string') return this.#fitting(this.#resolved(schema['$ref']), name);
    const choices = [schema['anyOf'], schema['oneOf']].find(Array.isArray);
    if (choices)
      return fc.oneof(
        ...choices.map((choice: unknown) => this.#fitting(isSchema(choice) ? choice : {}, name)),
      );
    if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
    if ('const' in schema) return fc.constant(schema['const']);
    return this.#ofType(schema, name);
  }

  #ofType(schema: JsonSchema, name: string): Arbitrary<unknown> {
    switch (schema['type']) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return fc.array(this.of(schema['items'], name), { maxLength: 4 });
      case 'integer':
        return fc.integer({ min: 0, max: 100_000 });
      case 'number':
        return fc.double({ noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return this.#text(schema, name);
    }
  }

  #resolved(ref: string): JsonSchema {
    const found = this.#components[ref.split('/').at(-1) ?? ''];
    return isSchema(found) ? found : {};
  }

  #object(schema: JsonSchema): Arbitrary<unknown> {
    const properties = isSchema(schema['properties']) ? schema['properties'] : {};
    const required = z.array(z.string()).catch([]).parse(schema['required']);
    const model = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, this.of(inner, name)]),
    );
    const whole = fc.record(model, { requiredKeys: required });
    return this.#isFitting
      ? whole
      : fc.oneof(
          { weight: 9, arbitrary: whole },
          {
            weight: 1,
            arbitrary: fc
              .tuple(whole, oddText, oddValue)
              .map(([object, key, value]) => ({ ...object, [key]: value })),
          },
        );
  }

  #id(): Arbitrary<string> {
    const known = fc.constantFrom(...this.#known.ids);
    return this.#isFitting ? known : fc.oneof(known, fc.uuid());
  }

  #text(schema: JsonSchema, name: string): Arbitrary<string> {
    const { tokens, emails, passwords, providers } = this.#known;
    if (schema['format'] === 'uuid' || /id$/i.test(name)) return this.#id();
    if (/email/i.test(name)) return fc.oneof(fc.constantFrom(...emails), fc.emailAddress());
    if (/password/i.test(name))
      return fc.oneof(fc.constantFrom(...passwords), fc.string({ minLength: 15, maxLength: 80 }));
    if (name === 'provider') return fc.constantFrom(...providers);
    if (/^(flow|token)$/.test(name)) return fc.constantFrom(...tokens);
    if (name === 'code') return fc.oneof(fc.stringMatching(/^\d{6}$/), fc.stringMatching(/^\d{8}$/), oddText);
    if (schema['format'] === 'date-time')
      return fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
        .map((date) => date.toISOString());
    if (/sha256/.test(name)) return fc.stringMatching(/^[0-9a-f]{64}$/);
    return fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.stringMatching(/^[A-Za-z0-9_-]{1,43}$/),
      fc.constantFrom('en', 'de', 'Europe/Berlin', 'x'),
    );
  }
}
