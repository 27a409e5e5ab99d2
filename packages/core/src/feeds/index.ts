export { exportFeed, type OpenFeed, openFeed } from './feed.ts';
export { type FeedFormat, feedFormats } from './print.ts';
export { checkFeeds, getFeedReport } from './report.ts';
export type { FeedReport, FeedReportQueryInput, FeedTotals, ReportedProduct } from './report-fields.ts';
export { type OpenSitemap, openSitemap } from './sitemap.ts';
