import { z } from 'zod';
import { problemSchema } from '#contract/errors.ts';
import { sessionSchema, signedInSchema, userSchema } from '#contract/accounts-api.ts';
import { formatSchema } from '#contract/formats.ts';
import { markerSchema, newMarkerSchema } from '#contract/markers-api.ts';
import {
  changeRecordingSchema,
  finishRecordingSchema,
  gapSchema,
  importedFileSchema,
  pauseSchema,
  recordingDetailsSchema,
  recordingPageSchema,
  recordingSchema,
  registeredRecordingSchema,
  registerRecordingSchema,
  segmentSchema,
  uploadCapabilitySchema,
} from '#contract/recordings.ts';
import { createUploadSchema, receiptSchema, uploadStateSchema } from '#contract/uploads-api.ts';

export type JsonSchema = Record<string, unknown>;

const named: Record<string, z.ZodType> = {
  Problem: problemSchema,
  User: userSchema,
  Session: sessionSchema,
  SignedIn: signedInSchema,
  Recording: recordingSchema,
  RecordingDetails: recordingDetailsSchema,
  RecordingPage: recordingPageSchema,
  Segment: segmentSchema,
  Format: formatSchema,
  ImportedFile: importedFileSchema,
  Gap: gapSchema,
  Pause: pauseSchema,
  RegisterRecording: registerRecordingSchema,
  RegisteredRecording: registeredRecordingSchema,
  FinishRecording: finishRecordingSchema,
  ChangeRecording: changeRecordingSchema,
  UploadCapability: uploadCapabilitySchema,
  CreateUpload: createUploadSchema,
  UploadState: uploadStateSchema,
  Receipt: receiptSchema,
  Marker: markerSchema,
  NewMarker: newMarkerSchema,
};

const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(named)) names.add(schema, { id });

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Points `$ref`s at the document's components instead of the schema's own definitions. */
function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, withComponentRefs(inner)],
    ),
  );
}

/** Prints zod schemas as JSON Schema and collects the named ones. */
export class SchemaPrinter {
  readonly components: Record<string, unknown> = {};

  /** @param io whether the schema describes a request (`input`) or a response (`output`) */
  print(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _dialect,
      $defs,
      id: _id,
      ...printed
    } = z.toJSONSchema(schema, { io, metadata: names, unrepresentable: 'any' });
    for (const [id, definition] of Object.entries($defs ?? {})) {
      const { id: _name, ...body } = definition;
      this.components[id] = withComponentRefs(body);
    }
    const name = names.get(schema)?.id;
    const body = withComponentRefs(printed);
    if (name === undefined) return isObject(body) ? body : {};
    // A named schema may be printed as a reference to its own definition, which was collected above.
    if (!('$ref' in printed)) this.components[name] = body;
    return { $ref: `#/components/schemas/${name}` };
  }
}
