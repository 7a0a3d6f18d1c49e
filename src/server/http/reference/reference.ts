import { describeOperations } from './openapi.ts';
import { referencePage } from './reference-page.ts';
import { SchemaPrinter } from './schemas.ts';

export { openApiDocument } from './openapi.ts';

function describe() {
  const printer = new SchemaPrinter();
  const operations = describeOperations(printer);
  return { operations, schemas: printer.components };
}

let described: ReturnType<typeof describe> | null = null;

/**
 * Renders the readable page of every endpoint.
 * @param nonce the CSP nonce that allows its style
 */
export function pageOfCalls(nonce: string): string {
  described ??= describe();
  return referencePage({ ...described, nonce });
}
