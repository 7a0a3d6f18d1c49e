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

/** The readable page of every call. @param nonce of the policy that lets its style in */
export function pageOfCalls(nonce: string): string {
  described ??= describe();
  return referencePage({ ...described, nonce });
}
