import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { limits } from './limits.ts';
import { serverLimits } from './server-limits.ts';
import { markerColourSchema } from './markers-api.ts';
import { recordingFilterSchema } from './recording-filter.ts';
import { recordingStateSchema } from './recordings.ts';
import { idSchema, instantSchema, languageTagSchema, tagNameSchema } from './values.ts';

const count = z.int().min(0);

export const tagSchema = z.object({ id: idSchema, name: z.string(), colour: markerColourSchema });
export type Tag = z.output<typeof tagSchema>;

/** A named list: the query string of the library's URL. */
export const savedViewSchema = z.object({ id: idSchema, name: z.string(), query: z.string() });
export type SavedView = z.output<typeof savedViewSchema>;

/** The query of the library's URL without the question mark; the server validates it with `viewFieldsSchema`. */
const viewQuerySchema = z.string().max(serverLimits.viewQueryLength);

const newTagSchema = z.strictObject({
  id: idSchema,
  name: tagNameSchema,
  colour: markerColourSchema.default('blue'),
});
const newViewSchema = z.strictObject({ id: idSchema, name: tagNameSchema, query: viewQuerySchema });

export const listTags = endpoint('listTags', {
  access: 'session',
  summary: 'All tags of the user, by name.',
  reply: z.object({ items: z.array(tagSchema) }),
  statuses: [200],
  errors: [],
});

export const createTag = endpoint('createTag', {
  access: 'session',
  isKeyed: true,
  summary:
    'Create a tag under an id created on the device; repeating an id returns the existing tag. A name of another tag, ignoring case and marks, is rejected (`taken`).',
  body: newTagSchema,
  reply: tagSchema,
  statuses: [201, 200],
  errors: ['validation'],
});

export const changeTag = endpoint('changeTag', {
  access: 'session',
  summary: 'Rename or recolour a tag.',
  body: z.strictObject({ name: tagNameSchema.optional(), colour: markerColourSchema.optional() }),
  reply: tagSchema,
  statuses: [200],
  errors: ['validation', 'not-found'],
});

export const removeTag = endpoint('removeTag', {
  access: 'session',
  summary: 'Delete a tag, also from its recordings; idempotent.',
  statuses: [204],
  errors: ['not-found'],
});

export const listViews = endpoint('listViews', {
  access: 'session',
  summary: 'All saved views of the user, in order of creation.',
  reply: z.object({ items: z.array(savedViewSchema) }),
  statuses: [200],
  errors: [],
});

export const createView = endpoint('createView', {
  access: 'session',
  isKeyed: true,
  summary: 'Save a view under an id created on the device; repeating an id returns the existing view.',
  body: newViewSchema,
  reply: savedViewSchema,
  statuses: [201, 200],
  errors: ['validation'],
});

export const changeView = endpoint('changeView', {
  access: 'session',
  summary: 'Rename a saved view or change its query.',
  body: z.strictObject({ name: tagNameSchema.optional(), query: viewQuerySchema.optional() }),
  reply: savedViewSchema,
  statuses: [200],
  errors: ['validation', 'not-found'],
});

export const removeView = endpoint('removeView', {
  access: 'session',
  summary: 'Delete a saved view; idempotent.',
  statuses: [204],
  errors: ['not-found'],
});

export const listRecordingIds = endpoint('listRecordingIds', {
  access: 'session',
  summary:
    'The ids of all recordings that match a filter, newest first, at most a hundred thousand: for selecting all of them.',
  query: recordingFilterSchema,
  reply: z.object({ ids: z.array(idSchema) }),
  statuses: [200],
  errors: ['validation'],
});

export const getFacets = endpoint('getFacets', {
  access: 'session',
  summary:
    'The available filters of the recordings outside the trash: languages (null: none set), sources, states and tags with their counts, the number of favourites, and the first and last start among those with a known time.',
  reply: z.object({
    languages: z.array(z.object({ language: languageTagSchema.nullable(), count })),
    sources: z.array(z.object({ source: z.enum(['microphone', 'import']), count })),
    states: z.array(z.object({ state: recordingStateSchema, count })),
    tags: z.array(z.object({ tagId: idSchema, count })),
    favourites: count,
    earliest: instantSchema.nullable(),
    latest: instantSchema.nullable(),
  }),
  statuses: [200],
  errors: [],
});

export const setFavourite = endpoint('setFavourite', {
  access: 'session',
  summary:
    'Star a recording, or remove the star; idempotent. The star belongs to the calling user and does not change the recording or its `updatedAt`. It is retained in the trash.',
  body: z.strictObject({ isFavourite: z.boolean() }),
  statuses: [204],
  errors: ['validation', 'not-found'],
});

const chosenTagsSchema = z.array(idSchema).max(serverLimits.tagsPerRecording);
const bulkActionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('trash') }),
  /** `isUndo`: undoes the move to the trash, so the links are as before; they stay off otherwise. */
  z.strictObject({ kind: z.literal('restore'), isUndo: z.boolean().optional() }),
  z.strictObject({ kind: z.literal('tag'), add: chosenTagsSchema, remove: chosenTagsSchema }),
  z.strictObject({ kind: z.literal('favourite'), isFavourite: z.boolean() }),
  z.strictObject({ kind: z.literal('purge') }),
]);
export type BulkAction = z.output<typeof bulkActionSchema>;

export const changeManyRecordings = endpoint('changeManyRecordings', {
  access: 'session',
  maxBodyBytes: limits.bulkBodySizeBytes,
  summary:
    'Apply one action to many recordings; idempotent. `missing` lists those that do not exist and, for `purge`, those that are not in the trash; the others are changed.',
  body: z.strictObject({
    ids: z.array(idSchema).min(1).max(limits.bulkRecordings),
    action: bulkActionSchema,
  }),
  reply: z.object({ done: count, missing: z.array(idSchema) }),
  statuses: [200],
  errors: ['validation'],
});
