import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Json, toJson } from '../kernel/json.ts';
import { passing, strictly } from '../kernel/known-fields.ts';
import { fields } from '../kernel/parse.ts';
import type { CellKind, Kind, MadeKind, Referred } from './kinds.ts';

/** The description of a value in the OpenAPI document. */
export interface Facts {
  words: string;
  example?: unknown;
  /** The `format` keyword of JSON Schema. */
  format?: string;
}

/** The column of a field in CSV files. */
export interface CsvColumn {
  name: string;
  /** The name of the field. */
  field: string;
  kind: CellKind;
  /** A blank cell is refused: the field is required. */
  required?: true;
  /** A blank cell keeps the stored value, because the field cannot be empty. */
  isKept?: true;
  /** The value of a blank cell, if it is not null. */
  blank?: unknown;
}

/** One field of a resource, declared once: everything about it follows from here. */
export interface Field<
  In extends z.ZodType | null = z.ZodType | null,
  Out extends z.ZodType = z.ZodType,
  Required extends boolean = boolean,
> {
  readonly rule: (decimals: number) => In;
  readonly isWritten: In extends null ? false : true;
  readonly answer: () => Out;
  readonly facts: Facts;
  /** The kind of resource that it names by id, if a write checks that it exists. */
  readonly refersTo: Referred | undefined;
  /** The description of the field in an input, if it differs. */
  readonly inInput: Partial<Facts>;
  /** The fields of its entries, if it is a list of objects, or of the object that it is. */
  readonly entries: Shape | undefined;
  /** Required for a new item. */
  readonly required: Required;
  /** The value of a new item whose input leaves the field out. */
  readonly initial: unknown;
  /** Shown to storefront keys. They get `hidden` for other fields. */
  readonly isPublic: boolean;
  readonly hidden: unknown;
  readonly column: Partial<CsvColumn> & Pick<CsvColumn, 'kind'>;
  readonly hasColumn: boolean;
}

export type Shape = Readonly<Record<string, Field>>;

interface Saying extends Facts {
  public?: boolean;
  /** What storefront keys get if it is not public; null if left out. */
  hidden?: unknown;
  /** False: CSV files have no column for it. */
  csv?: Partial<CsvColumn> | false;
}

/** A field that clients write. */
export function written<In extends z.ZodType, Out extends z.ZodType, Required extends boolean = false>(
  { rule, answer, cell, refersTo }: Kind<In, Out>,
  {
    words,
    example,
    required = false as Required,
    initial = null as never,
    input = {},
    public: isPublic = false,
    hidden = null,
    csv = {},
    entries,
  }: Saying & { required?: Required; initial?: NoInfer<z.output<Out>>; input?: Partial<Facts>; entries?: Shape },
): Field<In, Out, Required> {
  return {
    rule,
    isWritten: true as never,
    answer,
    facts: { words, example },
    refersTo,
    inInput: input,
    entries,
    required,
    initial,
    isPublic,
    hidden,
    column: { kind: cell, ...csv },
    hasColumn: csv !== false,
  };
}

/** A field that only the service sets. @param initial its value in texts that are older than the field; null if left out */
export function made<Out extends z.ZodType>(
  { answer, cell }: MadeKind<Out>,
  {
    words,
    example,
    initial,
    public: isPublic = false,
    hidden = null,
    csv = {},
    entries,
  }: Saying & { initial?: NoInfer<z.output<Out>>; entries?: Shape },
): Field<null, Out, false> {
  return {
    rule: () => null,
    isWritten: false,
    answer,
    facts: { words, example },
    refersTo: undefined,
    inInput: {},
    entries,
    required: false,
    initial,
    isPublic,
    hidden,
    column: { kind: cell, ...csv },
    hasColumn: csv !== false,
  };
}

/** An item as every interface answers it. */
export type Entity<S extends Shape> = { -readonly [K in keyof S]: z.output<ReturnType<S[K]['answer']>> };

type WrittenKeys<S extends Shape> = {
  [K in keyof S]: ReturnType<S[K]['rule']> extends null ? never : K;
}[keyof S];
type RequiredKeys<S extends Shape> = { [K in keyof S]: S[K]['required'] extends true ? K : never }[keyof S];
type Rule<F extends Field> = NonNullable<ReturnType<F['rule']>>;

// Mapped over keys of the shape itself, so that editors show the comments of its fields.
type Written<S extends Shape, Keys extends keyof S> = { -readonly [K in Keys]: z.input<Rule<S[K]>> };
type Parsed<S extends Shape, Keys extends keyof S> = { -readonly [K in Keys]: z.output<Rule<S[K]>> };
type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** The input of a change: every field may be left out. */
export type Changes<S extends Shape> = Optional<Written<S, WrittenKeys<S>>>;
/** The input of a new item. */
export type Input<S extends Shape> = Written<S, RequiredKeys<S>> &
  Optional<Written<S, Exclude<WrittenKeys<S>, RequiredKeys<S>>>>;

export type GivenChanges<S extends Shape> = Optional<Parsed<S, WrittenKeys<S>>>;
export type GivenInput<S extends Shape> = Parsed<S, RequiredKeys<S>> &
  Optional<Parsed<S, Exclude<WrittenKeys<S>, RequiredKeys<S>>>>;

type OptionalRules<S extends Shape, Keys extends keyof S> = { -readonly [K in Keys]: z.ZodOptional<Rule<S[K]>> };
type RequiredRules<S extends Shape, Keys extends keyof S> = { -readonly [K in Keys]: Rule<S[K]> };

/** The zod schemas of the inputs of a resource. */
export interface Inputs<S extends Shape> {
  create: z.ZodObject<RequiredRules<S, RequiredKeys<S>> & OptionalRules<S, Exclude<WrittenKeys<S>, RequiredKeys<S>>>>;
  update: z.ZodObject<OptionalRules<S, WrittenKeys<S>>>;
}

/** Values of the fields that a new item's input may leave out. */
export type Initial<S extends Shape> = Pick<Entity<S>, Exclude<WrittenKeys<S>, RequiredKeys<S>>>;

/** The description of an input in the document. */
export interface InputFacts {
  words: string;
  /** A valid body. */
  example: Readonly<Record<string, unknown>>;
}

/** The description of a resource in the document; without `create` or `update`, the resource does not have that input. */
interface EntityFacts {
  readonly words: string;
  /** True if its inputs take no unknown field. */
  readonly strict?: true;
  readonly create?: InputFacts;
  readonly update?: InputFacts;
}

/** Prints the items of a resource. */
export interface Printer<T> {
  /** The item with only its fields, in their order. */
  of(from: T): T;
  /** The item of a stored text, with the initial value of each field that the text lacks. Whatever is written again is read by this. */
  read(json: string): T;
  /** Different for different fields: another version printed a stored text that has another number. */
  readonly shapeNumber: number;
  /** The stored text of an item, printed again if it has another number. */
  upToDate(json: Json<T>, shapeNumber: number): Json<T>;
}

/** Everything that follows from the fields of a resource. */
export interface EntityOf<S extends Shape> extends Printer<Entity<S>> {
  readonly shape: S;
  readonly facts: EntityFacts;
  /** The inputs in a currency with that many decimals; resources without amounts ignore the decimals. */
  inputs(decimals?: number): Inputs<S>;
  readonly initial: Initial<S>;
  /** The schema of an answer, with descriptions; made once. */
  answer(): z.ZodObject<{ [K in keyof S]: ReturnType<S[K]['answer']> }>;
  /** The columns of CSV files. */
  readonly columns: readonly CsvColumn[];
}

/** An `EntityOf` any fields. */
export interface AnyEntity {
  readonly shape: Shape;
  readonly facts: EntityFacts;
  readonly columns: readonly CsvColumn[];
  inputs(decimals?: number): { create: z.ZodObject; update: z.ZodObject };
  answer(): z.ZodObject;
  read(json: string): object;
}

/**
 * Builds everything that follows from the fields of a resource.
 * @param shape the fields in the order in which they are printed. Editors show the doc comments of its keys for inputs and answers.
 */
export function entity<const S extends Shape>(shape: S, facts: EntityFacts): EntityOf<S> {
  const fieldsOf = Object.entries<Field>(shape);
  const input = fieldsOf.filter(([, field]) => field.isWritten);
  const required = Object.fromEntries(input.filter(([, field]) => field.required).map(([name]) => [name, true]));
  const optional = input.filter(([, field]) => !field.required);
  const known = new Map<number, Inputs<S>>();
  let answer: z.ZodObject | undefined;
  const shapeNumber = numberOf(shape);
  const makeInputs = (decimals: number): Inputs<S> => {
    const rules = input.map(([name, field]) => [name, field.rule(decimals)] as const);
    // Without defaults: an absent field keeps its value in an update, and zod fills defaults into a partial.
    const update = fields(Object.fromEntries(rules) as Record<string, z.ZodType>).partial();
    const marked = facts.strict ? strictly : passing;
    return {
      update: marked(update, answerOf),
      create: marked(update.required(required as never), answerOf),
    } as unknown as Inputs<S>;
  };
  const answerOf = () => {
    answer ??= z
      .object(Object.fromEntries(fieldsOf.map(([name, field]) => [name, field.answer().meta(metaOf(field.facts))])))
      .meta({ description: facts.words });
    return answer;
  };
  const of = (from: Entity<S>): Entity<S> => itemOf(fieldsOf, from) as Entity<S>;
  const read = (json: string): Entity<S> => of(JSON.parse(json));
  return {
    shape,
    facts,
    of,
    read,
    shapeNumber,
    upToDate: (json, number) => (number === shapeNumber ? json : toJson(read(json))),
    inputs(decimals = 2) {
      const inputs = known.get(decimals) ?? makeInputs(decimals);
      known.set(decimals, inputs);
      return inputs;
    },
    initial: Object.fromEntries(optional.map(([name, field]) => [name, field.initial])) as Initial<S>,
    answer: answerOf as never,
    columns: fieldsOf.filter(([, { hasColumn }]) => hasColumn).map(([name, field]) => columnOf(name, field)),
  };
}

/** The item with only these fields, in their order. */
function itemOf(fields: readonly [string, Field][], from: object): Record<string, unknown> {
  const item: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const value = (from as Record<string, unknown>)[name];
    // A text that was stored before the field existed does not have it.
    if (value === undefined) item[name] = initialOf(field);
    else if (field.entries && value !== null) {
      const ofEntry = Object.entries(field.entries);
      item[name] = Array.isArray(value)
        ? value.map((entry) => itemOf(ofEntry, entry))
        : itemOf(ofEntry, value as object);
    } else item[name] = value;
  }
  return item;
}

/** A number from the names of fields and their order, of 31 bits. */
function numberOf(shape: Shape): number {
  return createHash('sha256').update(namesOf(shape)).digest().readUInt32BE() >>> 1;
}

function namesOf(shape: Shape): string {
  return Object.entries(shape)
    .map(([name, { entries }]) => (entries ? `${name}[${namesOf(entries)}]` : name))
    .join();
}

/** The value of a field that a stored text lacks because the text is older than the field. */
export function initialOf(field: Field | undefined): unknown {
  return field?.initial ?? null;
}

/** Facts as keywords of JSON Schema. */
export function metaOf({ words, example, format }: Partial<Facts>) {
  return {
    ...(words === undefined ? {} : { description: words }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(format === undefined ? {} : { format }),
  };
}

/** A blank cell of a word that cannot be null keeps the stored value. In other columns it means the initial value. */
function columnOf(field: string, { column, required, initial, isWritten }: Field): CsvColumn {
  const named = { name: field, field };
  if (!isWritten) return { ...named, ...column };
  if (required && column.isKept !== true) return { ...named, required: true, ...column };
  if (initial !== null && column.kind === 'word') return { ...named, isKept: true, ...column };
  return { ...named, ...(initial === null || required ? {} : { blank: initial }), ...column };
}
