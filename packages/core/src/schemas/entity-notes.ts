import * as z from 'zod';
import { type InputFacts, metaOf, type Shape } from '../fields/entity.ts';
import type { FieldFacts, InputNotes } from '../fields/notes.ts';
import { nounNames, nouns } from '../kernel/nouns.ts';
import { entities, schemaName } from './entities.ts';
import type { SchemaName } from './schemas.ts';

/** The descriptions of the inputs of resources. */
export function entityNotes(): Partial<Record<SchemaName, InputNotes>> {
  const notes: Record<string, InputNotes> = {};
  for (const [like, { shape, facts }] of Object.entries(entities)) {
    const fields = inputFacts(shape);
    const add = (name: string, { words, example }: InputFacts) => {
      notes[name] = { description: words, like: like as SchemaName, fields, example };
    };
    if (facts.create) add(`${like}Input`, facts.create);
    if (facts.update) add(`${like}Changes`, facts.update);
  }
  for (const noun of nounNames) {
    notes[`${schemaName(noun)}Query`] = { description: `Filters of a list of ${nouns[noun].table}.` };
  }
  return notes;
}

/** Descriptions of the fields that a client writes, if the input differs from the answer. */
function inputFacts(shape: Shape, path = ''): Record<string, FieldFacts> {
  const facts: Record<string, FieldFacts> = {};
  for (const [name, { isWritten, inInput, entries, answer }] of Object.entries(shape)) {
    if (isWritten && inInput.words !== undefined) facts[path + name] = metaOf(inInput);
    if (entries) Object.assign(facts, inputFacts(entries, `${path}${name}${isList(answer()) ? '[]' : ''}.`));
  }
  return facts;
}

function isList(schema: z.ZodType): boolean {
  return schema instanceof z.ZodNullable ? isList(schema.unwrap() as z.ZodType) : schema instanceof z.ZodArray;
}
