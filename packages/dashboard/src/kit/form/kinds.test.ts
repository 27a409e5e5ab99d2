import { describe, expect, it } from 'vitest';
import { area, bodyOf, check, choice, count, line, money, own, readValues, time, wholeNumber } from './kinds.ts';

const fields = {
  title: line('Title', { isRequired: true }),
  text: area('Text'),
  price: money('Price'),
  limit: count('Limit'),
  kind: choice('Kind', [['a', 'A']], { start: 'a' }),
  isOn: check('On', { start: true }),
  endsAt: time('Ends'),
  ids: own<string[]>('Ids', []),
};

describe('the fields of a form', () => {
  it('begin as each kind says, and take over what an item has', () => {
    const blank = { title: '', text: '', price: '', limit: '', kind: 'a', isOn: true, endsAt: null, ids: [] };
    expect(readValues(fields)).toEqual(blank);
    const item = { id: '1', title: 'Mug', text: null, price: '1.50', limit: 3, kind: 'b', isOn: false, ids: ['x'] };
    expect(readValues(fields, item)).toEqual({
      ...blank,
      ...{ title: 'Mug', price: '1.50', limit: '3' },
      kind: 'b',
      isOn: false,
      ids: ['x'],
    });
  });

  it('are sent as the interface takes them: an empty text clears its field, unless it is required', () => {
    expect(bodyOf(fields, { title: '', text: '', price: ' 2 ', limit: '' })).toEqual({
      title: '',
      text: null,
      price: '2',
      limit: null,
    });
    expect(bodyOf(fields, { isOn: false, endsAt: null })).toEqual({ isOn: false, endsAt: null });
  });

  it('make a number of a text that is one, and leave others for the service to refuse', () => {
    const typed = ['', ' ', '3', ' 12 ', '-1', '0', '1,410', '1.5', '1,5', 'many'];
    expect(typed.map(wholeNumber)).toEqual([null, null, 3, 12, -1, 0, 1410, '1.5', '1,5', 'many']);
  });
});
