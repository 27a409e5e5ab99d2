// @ts-check
// A separate program, started by decoders.ts: decodes uploaded pictures in a process that can be ended. Written in JavaScript,
// so that the sources and the build start the same file.
import { setPriority } from 'node:os';
import sharp from 'sharp';

/** @typedef {import('./decoders.ts').Job} Job */
/** @typedef {import('./decoders.ts').Report} Report */

// Lower priority than the process that serves requests.
setPriority(10);
// No cache, because each picture is decoded once.
sharp.cache(false);

/** @type {number} */
let maxBytes = Number.POSITIVE_INFINITY;
// Watches the memory; this thread stays free, because pictures are decoded in other threads.
const die = () => process.kill(process.pid, 'SIGKILL');
let isDying = false;
setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes) {
    // Says why, because a system that lacks memory ends it by the same signal. If that is not sent at once, the next round ends it.
    if (isDying || !process.send) die();
    isDying = true;
    process.send?.(/** @type {Report} */ ({ kind: 'outOfMemory' }), die);
  }
  // A process that dies while this one is being loaded says so before anybody listens.
  if (!process.connected) process.exit();
}, 20);

/** @type {Record<import('./variants.ts').VariantFormat, (image: import('sharp').Sharp) => import('sharp').Sharp>} */
const encode = {
  webp: (image) => image.webp({ quality: 80 }),
  // Transparent parts become white, the background of most pages.
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
  if (job.kind === 'convert') {
    const resized = sharp(job.path, reading).resize({
      width: job.width ?? job.maxSide,
      height: job.maxSide,
      fit: 'inside',
      withoutEnlargement: true,
    });
    await encode[job.format](resized).toFile(job.target);
    return { kind: 'converted' };
  }
  // Reads the size without a limit, so that the caller can name the size in its refusal.
  const { format, autoOrient } = await sharp(job.path, { ...reading, limitInputPixels: false }).metadata();
  const { width, height } = autoOrient;
  if (width * height <= job.maxPixels) {
    // Every row is needed for the small picture, so all are decoded, and few are held at a time.
    await sharp(job.path, reading).resize(16, 16, { fit: 'fill' }).raw().toBuffer();
  }
  return { kind: 'inspected', format, width, height };
}

process.on('message', async (/** @type {Job} */ job) => {
  maxBytes = job.maxBytes;
  /** @type {Report} */
  const report = await work(job).catch((error) => ({ kind: 'failed', message: String(error?.message ?? error) }));
  if (process.connected) process.send?.(report);
});

// Ends with the process that started this one.
process.on('disconnect', () => process.exit());
