import { expect, test } from 'vitest';
import { TypedFields } from './typed-fields.ts';

test('is changed while a field that is still there holds another text than at first', () => {
  const fields = new TypedFields();
  const field = { value: 'Interview', isConnected: true };
  fields.noteFocus(field);
  expect(fields.isChanged).toBe(false);
  field.value = 'Interview ';
  expect(fields.isChanged).toBe(false);
  field.value = 'Interview 2';
  fields.noteFocus(field);
  expect(fields.isChanged).toBe(true);
  field.isConnected = false;
  expect(fields.isChanged).toBe(false);
});
