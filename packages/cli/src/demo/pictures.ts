import sharp from 'sharp';
import { type Color, colors, type Shape } from './catalogue.ts';

/** Outlines on a field of 100 by 100; the colour is filled in. */
const outlines: Record<Shape, string> = {
  mug: '<path d="M28 34h38v34a10 10 0 0 1-10 10H38a10 10 0 0 1-10-10z"/><path d="M66 42h6a9 9 0 0 1 0 22h-6" fill="none" stroke="COLOR" stroke-width="5"/>',
  plate:
    '<circle cx="50" cy="52" r="30"/><circle cx="50" cy="52" r="20" fill="#fff" fill-opacity=".28"/><circle cx="50" cy="52" r="19" />',
  teapot:
    '<ellipse cx="48" cy="58" rx="24" ry="19"/><path d="M70 56l16-14 3 4-15 22z"/><path d="M26 48a13 13 0 0 0 0 22" fill="none" stroke="COLOR" stroke-width="5"/><rect x="38" y="35" width="20" height="6" rx="3"/><circle cx="48" cy="32" r="4"/>',
  vase: '<path d="M45 20h10v18c0 6 13 14 13 28 0 10-8 16-18 16s-18-6-18-16c0-14 13-22 13-28z"/>',
  candle:
    '<rect x="38" y="42" width="24" height="38" rx="3"/><path d="M50 22c6 8 5 14 0 16-5-2-6-8 0-16z" fill="#f2b134"/>',
  cushion: '<path d="M24 34c17 4 35 4 52 0 -4 14-4 26 0 40-17-4-35-4-52 0 4-14 4-26 0-40z"/>',
};

/** A product picture as JPEG. It is drawn here, so that nothing is downloaded and no licence is needed. */
export async function drawPicture(shape: Shape, color: Color): Promise<Buffer> {
  const fill = colors[color];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800" viewBox="0 0 100 100">
    <defs>
      <linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#f6f2ec"/><stop offset="1" stop-color="#e4dccf"/></linearGradient>
      <linearGradient id="light" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#fff" stop-opacity=".3"/><stop offset="1" stop-color="#000" stop-opacity=".18"/></linearGradient>
    </defs>
    <rect width="100" height="100" fill="url(#wall)"/>
    <rect y="76" width="100" height="24" fill="#cdbfa9"/>
    <ellipse cx="50" cy="81" rx="30" ry="4" fill="#000" fill-opacity=".18"/>
    <g fill="${fill}">${outlines[shape].replaceAll('COLOR', fill)}</g>
    <g fill="url(#light)">${outlines[shape].replaceAll('COLOR', 'none')}</g>
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer();
}
