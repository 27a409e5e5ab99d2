import * as z from 'zod';

/** Keywords that describe a field in the document. */
export interface FieldFacts {
  description?: string;
  examples?: readonly unknown[];
  [keyword: string]: unknown;
}

/** Descriptions of an input for the document, in addition to its rules. */
export interface InputNotes {
  description: string;
  /** The schema of an answer whose fields of the same name describe those of the input. */
  like?: string;
  /** Descriptions of single fields; `items[].sku` is a field of the entries of a list. */
  fields?: Record<string, FieldFacts>;
  /** A valid body. */
  example?: Record<string, unknown>;
}

const notes = z.registry<InputNotes>();

/** The schema of a body or a query, with its description in the document. */
export function noted<S extends z.ZodType>(schema: S, about: InputNotes): S {
  notes.add(schema, about);
  return schema;
}

export function notesOf(schema: z.ZodType): InputNotes | undefined {
  return notes.get(schema);
}
