// @ts-check
// A program of its own, started by decoders.ts: decodes the pictures that others uploaded, in a process that can be ended. In
// JavaScript, so that it is started from the sources as it is from the build.
import { setPriority } from 'node:os';
import sharp from 'sharp';

/** @typedef {import('./decoders.ts').Job} Job */
/** @typedef {import('./decoders.ts').Report} Report */

// Those who wait for a request come first.
setPriority(10);
// What is decoded here is decoded once.
sharp.cache(false);

/** @type {number} */
let maxBytes = Number.POSITIVE_INFINITY;
// This thread stays free to look at the memory: pictures are decoded in other threads.
setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL');
}, 20);

/** @type {Record<import('./variants.ts').VariantFormat, (image: import('sharp').Sharp) => import('sharp').Sharp>} */
const encode = {
  webp: (image) => image.webp({ quality: 80 }),
  // What shines through is white, as on most pages.
  jpeg: (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 80, progressive: true }),
  png: (image) => image.png(),
};

/**
 * @param {Job} job
 * @returns {Promise<Report>}
 */
async function work(job) {
  /** @type {import('sharp').SharpOptions} */
  const reading = { failOn: 'truncated', limitInputPixels: job.maxPixels, autoOrient: true };
  if (job.kind === 'make') {
    const resized = sharp(job.path, reading).resize({
      width: job.width ?? job.maxSide,
      height: job.maxSide,
      fit: 'inside',
      withoutEnlargement: true,
    });
    await encode[job.format](resized).toFile(job.target);
    return { kind: 'made' };
  }
  // The limit is left to others here, for it is one that they name.
  const { format, autoOrient } = await sharp(job.path, { ...reading, limitInputPixels: false }).metadata();
  const { width, height } = autoOrient;
  if (width * height <= job.maxPixels) {
    // Each row goes into the small picture, so each is decoded, and few are held.
    await sharp(job.path, reading).resize(16, 16, { fit: 'fill' }).raw().toBuffer();
  }
  return { kind: 'found', format, width, height };
}

process.on('message', async (/** @type {Job} */ job) => {
  maxBytes = job.maxBytes;
  /** @type {Report} */
  const report = await work(job).catch((error) => ({ kind: 'failed', message: String(error?.message ?? error) }));
  if (process.connected) process.send?.(report);
});

// The process that started this one has ended.
process.on('disconnect', () => process.exit());
