import { describe, expect, it } from 'vitest';
import { BodyRoom } from './body-room.ts';

describe('the room for bodies', () => {
  const open = (room: BodyRoom, name: string, cut: string[]) => {
    const hold = room.open();
    hold.begin(() => cut.push(name));
    return hold;
  };

  it('is made by ending the body that has been on its way for longest', () => {
    const room = new BodyRoom(10);
    const cut: string[] = [];
    const [a, b, c] = ['a', 'b', 'c'].map((name) => open(room, name, cut));
    expect([a?.grow(4), b?.grow(4)]).toEqual([true, true]);
    expect(c?.grow(4)).toBe(true);
    expect(cut).toEqual(['a']);
    expect(c?.grow(2)).toBe(true);
    expect(b?.grow(1)).toBe(false);
    expect(cut).toEqual(['a', 'b']);
  });

  it('is not taken from a body that is here and worked on; the next one ends itself', () => {
    const room = new BodyRoom(10);
    const cut: string[] = [];
    const a = open(room, 'a', cut);
    a.grow(8);
    a.end();
    const b = open(room, 'b', cut);
    expect(b.grow(4)).toBe(false);
    expect(cut).toEqual(['b']);
    a.release();
    a.release();
    expect(open(room, 'c', cut).grow(10)).toBe(true);
  });
});
