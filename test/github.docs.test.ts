import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@commerce/test-support/harness/processes';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Field {
  type: string;
  id?: string;
  attributes: { label?: string; value?: string; description?: string; options?: unknown[]; render?: string };
  validations?: { required?: boolean };
}

const folder = join(root, '.github/ISSUE_TEMPLATE');
const forms = readdirSync(folder).filter((name) => name !== 'config.yml');
const kinds = ['markdown', 'textarea', 'input', 'dropdown', 'checkboxes'];

/** Errors that GitHub would find in a form: it shows an invalid form as plain text, without telling the author. */
function faultsOf(form: { name?: unknown; description?: unknown; body?: Field[] }): string[] {
  const faults: string[] = [];
  for (const word of ['name', 'description'] as const) {
    if (typeof form[word] !== 'string' || form[word] === '') faults.push(`${word}: must be a text`);
  }
  const fields = form.body ?? [];
  const answered = fields.filter(({ type }) => type !== 'markdown');
  if (answered.length === 0) faults.push('body: must ask for something');
  if (!answered.some(({ validations }) => validations?.required)) faults.push('body: must require something');
  for (const { type, id, attributes } of fields) {
    if (!kinds.includes(type)) faults.push(`${id ?? type}: is of an unknown type ${type}`);
    if (type === 'markdown') {
      if (!attributes.value) faults.push('markdown: must have a value');
      continue;
    }
    if (id === undefined || !/^[\w-]+$/.test(id)) faults.push(`${id}: must be letters, digits, dashes`);
    if (!attributes.label) faults.push(`${id}: must have a label`);
    if (type !== 'dropdown') continue;
    const options = attributes.options ?? [];
    // In some places YAML reads a bare `yes` or `no` as true or false, and GitHub refuses them.
    if (options.length < 2 || options.some((one) => typeof one !== 'string'))
      faults.push(`${id}: must have options that are texts`);
    if (new Set(options).size !== options.length) faults.push(`${id}: has an option twice`);
  }
  for (const name of ['id', 'label'] as const) {
    const said = answered.map((one) => (name === 'id' ? one.id : one.attributes.label));
    if (new Set(said).size !== said.length) faults.push(`${name}: occurs twice`);
  }
  return faults;
}

describe('What GitHub asks of people', () => {
  it.each(forms)('is a form that it accepts: %s', (name) => {
    expect(faultsOf(parse(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
  });

  it('has a form for what is wrong, what is missing and what is not clear, and none for security', () => {
    expect(forms.sort()).toEqual(['bug.yml', 'feature.yml', 'question.yml']);
    const config = parse(readFileSync(join(folder, 'config.yml'), 'utf8'));
    expect(config).toMatchObject({
      blank_issues_enabled: false,
      contact_links: [{ about: expect.stringContaining('SECURITY.md') }],
    });
  });

  it('is found wrong where it is', () => {
    const field = (id: string, attributes: Field['attributes'], type = 'input'): Field => ({ type, id, attributes });
    expect(
      faultsOf({ name: 'A', body: [field('a b', {}), field('c', { label: 'C', options: [true, 'x'] }, 'dropdown')] }),
    ).toEqual([
      'description: must be a text',
      'body: must require something',
      'a b: must be letters, digits, dashes',
      'a b: must have a label',
      'c: must have options that are texts',
    ]);
  });

  it('says in the code of conduct where to write, as SECURITY.md does', () => {
    const place = 'Report a vulnerability';
    for (const name of ['CODE_OF_CONDUCT.md', 'SECURITY.md'])
      expect(readFileSync(join(root, name), 'utf8')).toContain(place);
  });
});
