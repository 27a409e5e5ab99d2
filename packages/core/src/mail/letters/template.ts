import {
  type Context,
  defaultOperators,
  Liquid,
  LiquidError,
  type PropertyAccessToken,
  type Template,
  type Token,
  TokenKind,
  TypeGuards,
  Value,
} from 'liquidjs';
import type { MailKind } from '../../engine/mail-kinds.ts';
import { CommerceError, invalid, quote } from '../../kernel/errors.ts';
import { maxTemplateText } from '../../kernel/limits.ts';
import type { Block } from './blocks.ts';
import { linesOf } from './clean.ts';
import { printHtml } from './html.ts';
import type { Letter, LetterData } from './letter.ts';
import { frameOf, type Sources, sourcesOf, subjectOf } from './parts.ts';
import { sampleData } from './sample.ts';
import { printText } from './text.ts';
import { blockDefinitions, blockMarks, blockNames, namesFor, valuesOf } from './variables.ts';

export { sampleData } from './sample.ts';
export { type TemplateVariable, templateVariables } from './variables.ts';

/** A shop's own words for a letter, in Liquid. */
export interface TemplateTexts {
  subject: string;
  text: string;
}

const anyMark = new RegExp(`[${Object.values(blockMarks).join('')}]`, 'g');

type Field = keyof TemplateTexts;

/** Limits of one rendering. Time is looked at between two tags, operators or filters, so each of these has a limit of its own. */
const maxMilliseconds = 500;
const maxRendered = 200_000;
const maxValue = 10_000;
const maxMade = 1_000_000;
const maxDepth = 20;

/**
 * No tag repeats anything, so a template is done when each of its parts was rendered once. No tag reads files, none defines further
 * templates, and none collects the output of others, which would double a text with each line. What a list would be needed for is a block.
 */
const tags = new Set(['assign', 'case', 'comment', 'echo', 'if', 'raw', 'unless']);

/** Characters that the filters and operators of one rendering have taken and made. */
const made = new WeakMap<Context, number>();

/** Stops a rendering that takes too long, or makes too much. */
function count(context: Context, characters: number): void {
  context.renderLimit.check(performance.now());
  const sum = (made.get(context) ?? 0) + characters;
  if (sum > maxMade || characters > maxMade) throw new Error('the text makes too many characters');
  made.set(context, sum);
}

type Change = (text: string, ...args: string[]) => string;

/** A filter of texts with a limit of what it takes and makes. */
function filter(change: Change) {
  return function (this: { context: Context }, value: unknown, ...args: unknown[]): string {
    const [text = '', ...rest] = [value, ...args].map(textOf);
    const changed = change(text, ...rest);
    refuseLength(changed.length);
    count(this.context, changed.length + text.length);
    return changed;
  };
}

function refuseLength(length: number): void {
  if (length > maxValue) throw new Error(`a value has more than ${maxValue} characters`);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, maxValue);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const filters: Record<string, ReturnType<typeof filter>> = {
  append: filter((text, end = '') => text + end),
  prepend: filter((text, start = '') => start + text),
  upcase: filter((text) => text.toUpperCase()),
  downcase: filter((text) => text.toLowerCase()),
  capitalize: filter((text) => text.charAt(0).toUpperCase() + text.slice(1)),
  strip: filter((text) => text.trim()),
  replace: filter((text, from = '', to = '') => {
    if (from === '') return text;
    const parts = text.split(from);
    // Before it is made.
    refuseLength((parts.length - 1) * to.length);
    return parts.join(to);
  }),
  remove: filter((text, part = '') => (part === '' ? text : text.replaceAll(part, ''))),
  truncate: filter((text, length = '50', end = '...') =>
    text.length <= Number(length) ? text : text.slice(0, Math.max(0, Number(length) - end.length)) + end,
  ),
};

/** The other value for one that is missing or empty, or false. */
function defaultFilter(value: unknown, other: unknown): unknown {
  return value === null || value === undefined || value === false || value === '' ? other : value;
}

/** Whether a text has another one. One tag can ask this thousands of times, and each time takes the product of both lengths. */
function contains(left: unknown, right: unknown, context: Context): boolean {
  const [text, part] = [textOf(left), textOf(right).slice(0, 100)];
  count(context, text.length + part.length);
  return text.includes(part);
}

function engine(): Liquid {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictVariables: true,
    strictFilters: true,
    // Nothing may be read from a folder.
    templates: {},
    parseLimit: maxTemplateText,
    renderLimit: maxMilliseconds,
    // liquidjs counts the entries of ranges with it, and fills those above 2^53 for ever.
    memoryLimit: 0,
    operators: { ...defaultOperators, contains },
  });
  for (const name of Object.keys(liquid.tags)) {
    if (!tags.has(name)) delete liquid.tags[name];
  }
  for (const name of Object.keys(liquid.filters)) delete liquid.filters[name];
  for (const [name, change] of Object.entries(filters)) liquid.registerFilter(name, change);
  liquid.registerFilter('default', defaultFilter);
  return liquid;
}

/**
 * Checks a shop's own words before they are stored: both are parsed, and rendered with sample facts.
 * @throws CommerceError `validation` with the field, line and column if a text cannot be parsed, names an unknown variable, or fails
 */
export function checkTemplate(kind: MailKind, template: TemplateTexts): void {
  const sources = sourcesOf(sampleData(kind, 'en'));
  blocksOf(renderAll(template, sources).text, sources);
}

/**
 * A letter in a shop's own words, in the frame of the built-in letters.
 * @throws CommerceError `validation` if the template fails; the built-in letter can be sent instead
 */
export async function writeFromTemplate(template: TemplateTexts, data: LetterData): Promise<Letter> {
  const sources = sourcesOf(data);
  const rendered = renderAll(template, sources);
  const subject = subjectOf(rendered.subject);
  if (subject === '') throw invalid('subject', 'is empty when it is filled in');
  const blocks = blocksOf(rendered.text, sources);
  const frame = frameOf(sources, subject);
  return { subject, text: printText(blocks, frame), html: printHtml(blocks, frame) };
}

function renderAll({ subject, text }: TemplateTexts, sources: Sources): TemplateTexts {
  const names = namesFor(sources.data.kind);
  const values = valuesOf(sources);
  return {
    subject: render('subject', subject, names.subject, values),
    text: render('text', text, names.text, values),
  };
}

function render(field: Field, source: string, known: ReadonlySet<string>, values: object): string {
  if (source.length > maxTemplateText) throw invalid(field, `can have at most ${maxTemplateText} characters`);
  try {
    const liquid = engine();
    // Blanks for the characters that stand for blocks, so that columns stay.
    const parsed = liquid.parse(source.replace(anyMark, ' '));
    const names: Names = { known, assigned: new Set() };
    checkNames(field, parsed, names);
    // A name that only one branch assigns is empty after the others.
    const unassigned = Object.fromEntries([...names.assigned].map((name) => [name, null]));
    const rendered = String(liquid.renderSync(parsed, Object.assign(Object.create(null), unassigned, values)));
    if (rendered.length > maxRendered) throw invalid(field, `is longer than ${maxRendered} characters when filled in`);
    return rendered;
  } catch (error) {
    throw refusalOf(field, error);
  }
}

interface Names {
  known: ReadonlySet<string>;
  /** Those that the text has assigned so far. */
  assigned: Set<string>;
}

/** Refuses names that no rendering knows, so that a mistake shows when the text is stored. */
function checkNames(field: Field, templates: readonly Template[], names: Names, depth = 0): void {
  for (const template of templates) {
    if (depth > maxDepth) throw refused(field, template.token, 'is nested too deeply');
    for (const argument of template.arguments?.() ?? []) {
      for (const token of tokensOf(argument)) checkToken(field, token, names);
    }
    for (const token of template.localScope?.() ?? []) {
      const { content } = token;
      const isOurs = [...names.known].some((name) => name === content || name.startsWith(`${content}.`));
      if (isOurs) throw refused(field, token, `${quote(content)} is a name of the shop's facts`);
      names.assigned.add(content);
    }
    // Without partial templates, this generator has nothing to wait for.
    const children = template.children?.(false, true).next().value as readonly Template[] | undefined;
    checkNames(field, children ?? [], names, depth + 1);
  }
}

function* tokensOf(argument: Value | Token): Generator<Token> {
  if (!(argument instanceof Value)) return yield argument;
  yield* argument.initial.postfix;
  for (const { args } of argument.filters) {
    for (const arg of args) {
      const token = Array.isArray(arg) ? arg[1] : arg;
      if (token) yield token;
    }
  }
}

function checkToken(field: Field, token: Token, { known, assigned }: Names): void {
  if (token.kind === TokenKind.Range) throw refused(field, token, 'ranges are not available');
  if (!TypeGuards.isPropertyAccessToken(token)) return;
  const path = pathOf(token);
  if (known.has(path) || assigned.has(path)) return;
  throw refused(field, token, `there is no ${quote(path)}; known are ${[...known, ...assigned].join(', ')}`);
}

/** The name as it is listed; one that is made of values can be none of the list. */
function pathOf({ variable, props }: PropertyAccessToken): string {
  const names = props.map((prop) =>
    TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop) ? prop.content : '[]',
  );
  return [...(variable ? ['[]'] : []), ...names].join('.');
}

function refused(field: Field, token: Token, reason: string) {
  const [line, column] = token.getPosition();
  return invalid(field, `line ${line}, column ${column}: ${reason}`);
}

function refusalOf(field: Field, error: unknown): unknown {
  if (error instanceof CommerceError) return error;
  if (LiquidError.is(error)) {
    const { originalError, token, message } = error as LiquidError & { originalError?: Error; token: Token };
    const reason = originalError instanceof RangeError ? 'is nested too deeply' : (originalError?.message ?? message);
    return refused(field, token, reason.replace(/, line:\d+, col:\d+$/, ''));
  }
  if (error instanceof RangeError) return invalid(field, 'is nested too deeply');
  return error;
}

/** Paragraphs of a text that was filled in, and the blocks where their marks are. */
function blocksOf(rendered: string, sources: Sources): Block[] {
  const blocks: Block[] = [];
  let rest = rendered;
  const places = blockNames
    .map((name) => ({ name, at: rendered.indexOf(blockMarks[name]) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  for (const { name } of places) {
    const [before = '', after = '', ...more] = rest.split(blockMarks[name]);
    if (more.length > 0) throw invalid('text', `can have {{ ${name} }} only once`);
    blocks.push(...paragraphsOf(before), ...blockDefinitions[name].blocks(sources));
    rest = after;
  }
  return [...blocks, ...paragraphsOf(rest)];
}

function paragraphsOf(text: string): Block[] {
  return linesOf(text, maxRendered)
    .split('\n\n')
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => ({ kind: 'paragraph', text: paragraph, isLinked: true }));
}
