import { openApiDocument } from '@commerce/server';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

// Every answer in the tests is compared with the document: the service must not send anything undocumented.

/** Part of the document. */
// biome-ignore lint/suspicious/noExplicitAny: a document is walked by its names
type Part = any;

/** Requirements of the document for an answer. */
interface Expectation {
  /** In lower case; only headers that every such answer has. */
  requiredHeaders: string[];
  /** By media type; undefined without a body. */
  content: Map<string, ValidateFunction | undefined> | undefined;
}

interface DocumentedPath {
  template: string;
  pattern: RegExp;
  operations: Record<string, Part>;
}

class Contract {
  readonly #document: Part;
  /** By their number of slashes. */
  readonly #paths = new Map<number, DocumentedPath[]>();
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #known = new Map<string, Expectation | undefined>();
  readonly #envelope: ValidateFunction;

  constructor(document: Part) {
    this.#document = closed(document);
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'document', ...this.#document });
    this.#envelope = this.#ajv.compile({ $ref: 'document#/components/schemas/ErrorEnvelope' });
    const paths = Object.entries(this.#document.paths as Record<string, Record<string, Part>>)
      .map(([template, operations]) => ({
        template,
        pattern: new RegExp(`^${template.replace(/[.]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`),
        operations,
      }))
      // Words go before parameters, as in the router.
      // Literal paths come first, then those with an ending, such as `{id}.pdf`.
      .sort(
        (a, b) =>
          a.template.split('{').length - b.template.split('{').length ||
          Number(b.template.includes('}.')) - Number(a.template.includes('}.')),
      );
    for (const path of paths) {
      const slashes = path.template.split('/').length;
      this.#paths.set(slashes, [...(this.#paths.get(slashes) ?? []), path]);
    }
  }

  check(method: string, url: string, status: number, headers: Record<string, string>, text: string): void {
    const path = url.replace(/[?#].*$/s, '').replace(/^\/api(?=\/stores\/)/, '');
    const at = isDecodable(path)
      ? this.#paths.get(path.split('/').length)?.find(({ pattern }) => pattern.test(path))
      : undefined;
    const operation = at?.operations[method === 'HEAD' ? 'get' : method.toLowerCase()];
    if (!at || !operation) {
      this.#checkUnknown(at, method, status, headers, text);
      return;
    }
    const key = `${method === 'HEAD' ? 'get' : method.toLowerCase()} ${at.template} ${status}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#expectation(at.template, operation, key));
    const expected = this.#known.get(key);
    if (!expected) {
      // A route that the document shows as open is closed in a service that was not told to open it.
      if (status !== 405) throw new Error('the document has no such status there');
      this.#checkEnvelope(method, text);
      return;
    }
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const missing = expected.requiredHeaders.filter((name) => given[name] === undefined && name !== 'x-request-id');
    if (missing.length > 0) throw new Error(`it lacks the header ${missing.join(', ')}`);
    if (method === 'HEAD' || status === 304) return;
    if (!expected.content) {
      if (text !== '') throw new Error('the document has no body there');
      return;
    }
    const [type = ''] = (given['content-type'] ?? 'application/json').split(';');
    if (!expected.content.has(type)) throw new Error(`the document has no ${type || 'body'} there`);
    const validate = expected.content.get(type);
    if (!validate) return;
    const body = JSON.parse(text);
    if (given['idempotent-replayed'] === 'true' && body.item) {
      // A repeated answer leaves out secrets that are shown only once.
      const { properties } = this.#itemSchema(operation, status);
      for (const secret of ['key', 'secret', 'code', 'orderUrl']) if (properties?.[secret]) body.item[secret] ??= '';
      if (properties?.feed) body.item.feed ??= { enabled: true, columns: {}, targetCountries: null, token: null };
    }
    if (!validate(body)) throw new Error(explain(validate));
  }

  /** A request that is not in the document is refused, in one of the few ways without an operation. */
  #checkUnknown(
    at: DocumentedPath | undefined,
    method: string,
    status: number,
    headers: Record<string, string>,
    text: string,
  ): void {
    if (at && method === 'OPTIONS' && status === 204) return;
    const allowed = at ? [405, 401, 403, 429, 503] : [404, 401, 403, 405, 429, 503];
    if (!allowed.includes(status)) {
      throw new Error(at ? `the document has no ${method} there` : 'the document has no such path');
    }
    if (status === 503 && !/^retry-after$/im.test(Object.keys(headers).join('\n'))) {
      throw new Error('it lacks the header retry-after');
    }
    this.#checkEnvelope(method, text);
  }

  #checkEnvelope(method: string, text: string): void {
    if (method === 'HEAD' || this.#envelope(JSON.parse(text))) return;
    throw new Error(explain(this.#envelope));
  }

  #expectation(template: string, operation: Part, key: string): Expectation | undefined {
    const [method = '', , status = ''] = key.split(' ');
    const found = operation.responses[status];
    if (!found) return undefined;
    const { $ref } = found;
    const answer = this.#resolve(found);
    const pointer = $ref ?? `#/paths/${escaped(template)}/${method}/responses/${status}`;
    const content = answer.content as Record<string, Part> | undefined;
    const headers = Object.entries(answer.headers ?? {}).filter(([, header]) => this.#resolve(header).required);
    return {
      requiredHeaders: headers.map(([name]) => name.toLowerCase()),
      content:
        content &&
        new Map(
          Object.keys(content).map((type) => [
            type,
            type === 'application/json'
              ? this.#ajv.compile({ $ref: `document${pointer}/content/${escaped(type)}/schema` })
              : undefined,
          ]),
        ),
    };
  }

  #itemSchema(operation: Part, status: number): Part {
    const schema = this.#resolve(operation.responses[status]).content?.['application/json']?.schema;
    return this.#resolve(schema?.properties?.item ?? {});
  }

  #resolve(part: Part): Part {
    if (!part.$ref) return part;
    return part.$ref
      .slice(2)
      .split('/')
      .reduce((value: Part, step: string) => value[step], this.#document);
  }
}

/** A path with a broken percent-encoding matches nothing. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** A name escaped for a JSON pointer in an address. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The document, with additional fields forbidden in every object that lists its fields. */
function closed(part: Part, isSchemas = false): Part {
  if (Array.isArray(part)) return part.map((one) => closed(one));
  if (part === null || typeof part !== 'object') return part;
  const copy = Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      name === 'example' || name === 'examples' ? value : closed(value, name === 'properties' && !isSchemas),
    ]),
  ) as Part;
  if (!isSchemas && copy.type === 'object' && copy.properties && copy.additionalProperties === undefined) {
    copy.additionalProperties = false;
  }
  return copy;
}

function explain({ errors }: ValidateFunction): string {
  const [error] = errors ?? [];
  const extra = error?.params.additionalProperty ?? '';
  return `its body is not as the document has it: ${error?.instancePath} ${error?.message} ${extra}`;
}

let contract: Promise<Contract> | undefined;

/**
 * Throws unless the document describes the answer: its path, method, status, media type, headers, and every field of its body. Schemas are
 * compiled on first use; afterwards a check takes a few microseconds.
 */
export async function expectDocumented(
  method: string,
  url: string,
  status: number,
  headers: Record<string, string>,
  text: string,
): Promise<void> {
  contract ??= openApiDocument().then((document) => new Contract(document));
  try {
    (await contract).check(method, url, status, headers, text);
  } catch (error) {
    const shown = text.length > 500 ? `${text.slice(0, 500)}…` : text;
    throw new Error(`${method} ${url} answered ${status}, and ${(error as Error).message}\n${shown}`);
  }
}
