import { z } from 'zod';
import { codePointLength, hasControlCharacters, withoutBidiControls } from '#base/text.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { limits } from './limits.ts';
import { linkToken } from './links.ts';

/**
 * Rejects control and bidirectional-override characters in single-line text, because they reorder or hide the text
 * around them.
 */
const singleLine = (maxLength: number, minLength = 1, text = z.string()) =>
  text
    .trim()
    .refine((text) => codePointLength(text) >= minLength, {
      error: 'too-short',
      params: { shortest: minLength },
    })
    .refine((text) => codePointLength(text) <= maxLength, {
      error: 'too-long',
      params: { longest: maxLength },
    })
    .refine((text) => !hasControlCharacters(text), { error: 'control-characters' });

/** What users write into their library. Bidirectional controls are removed, as from the tags of files. */
const ownLine = (maxLength: number, minLength = 1) =>
  singleLine(maxLength, minLength, z.string().overwrite(withoutBidiControls));

/** Ids are UUIDs created on the device; the server accepts any version and stores them in lower case. */
export const idSchema = z.uuid().toLowerCase();
/** RFC 3339, UTC. */
export const instantSchema = z.iso.datetime({ precision: 3 });
/** A length of sound, or a position in it: at most the longest recording. */
export const durationMsSchema = z.int().min(0).max(maxSoundMs);
/** The total length of many recordings. */
export const totalMsSchema = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Empty if the user gave none: each surface then shows a name in its reader's language. */
export const titleSchema = ownLine(limits.titleLength, 0);
export const displayNameSchema = singleLine(limits.displayNameLength);
export const speakerNameSchema = ownLine(limits.speakerNameLength);
export const tagNameSchema = ownLine(limits.tagNameLength);
export const markerLabelSchema = ownLine(limits.markerLabelLength, 0);
/** The title that listeners see. What others read is rejected, not changed. */
export const shareTitleSchema = singleLine(limits.titleLength, 0);
/** For whom a link is; empty if its owner did not say. */
export const shareLabelSchema = singleLine(limits.share.labelLength, 0);
/** A file's name without its folder. */
export const fileNameSchema = singleLine(limits.import.nameLength);
/** Several lines: line breaks of every kind are normalised, tabs stay. */
const severalLines = (maxLength: number, minLength: number, withoutSome = (text: string) => text) =>
  z
    .string()
    .transform((text) => withoutSome(text).replaceAll(/\r\n?/g, '\n'))
    .refine((text) => minLength === 0 || text.trim() !== '', {
      error: 'too-short',
      params: { shortest: minLength },
    })
    .refine((text) => codePointLength(text) <= maxLength, {
      error: 'too-long',
      params: { longest: maxLength },
    })
    .refine((text) => !hasControlCharacters(text.replaceAll(/[\n\t]/g, '')), { error: 'control-characters' });
export const noteTextSchema = severalLines(limits.noteLength, 1, withoutBidiControls);
/** What a user writes in place of the words of a transcript. Line breaks become spaces. */
export const correctionTextSchema = z
  .string()
  .overwrite((text) => withoutBidiControls(text).replaceAll(/\s+/gu, ' ').trim())
  .refine((text) => codePointLength(text) <= limits.transcript.correctionLength, {
    error: 'too-long',
    params: { longest: limits.transcript.correctionLength },
  })
  .refine((text) => !hasControlCharacters(text), { error: 'control-characters' });
/** A message to the listeners of a link, as plain text. */
export const shareMessageSchema = severalLines(limits.share.messageLength, 0);
/** Checks only the shape: one @, something on both sides, no spaces; IDN accepted, compared case-insensitively. */
export const emailSchema = z
  .string()
  .trim()
  .max(limits.emailLength)
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, { error: 'email' });
/** SHA-256 as 64 lower-case hexadecimal digits. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, { error: 'sha256' });
export const timeZoneSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_+\-/]+$/, { error: 'time-zone' });
/** BCP 47 language tag of a user's interface or of speech. */
export const languageTagSchema = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, { error: 'language-tag' });
/** The code that the first account of an installation needs, as typed by the user. */
export const setUpCodeSchema = z.string().max(64);
/** A random token of 256 bits: the id of a flow, or the secret of a link. */
export const flowSchema = z.string().regex(linkToken, { error: 'token' });
/** A whole number in headers and queries: decimal digits only; no blank, sign, exponent or `0x`. */
export const wholeNumberSchema = (smallest: number, largest: number) =>
  z.preprocess(
    (value: string | number) => (typeof value === 'string' && !/^\d{1,16}$/.test(value) ? Number.NaN : value),
    z.coerce.number<string | number>().int().min(smallest).max(largest),
  );
