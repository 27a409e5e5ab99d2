export { type App, type AppOptions, createApp } from './app.ts';
export type { FetchHandler } from './edge/fetch.ts';
export type { Listener, ServerOptions } from './edge/listener.ts';
export type { RequestEntry } from './edge/request-entry.ts';
export { statusOf } from './errors.ts';
export type { Answer, AppRequest } from './http.ts';
export {
  type CommerceServer,
  createFetchHandler,
  createListener,
  createServer,
  createWorkerServer,
  type FetchOptions,
  type OwnServerOptions,
  type WorkerOptions,
} from './server.ts';
export { type Log, openLog } from './service/log.ts';
export type { MetricsPeers, ProcessMetrics } from './service/metrics.ts';
export type { OpenApiDocument } from './service/openapi/document.ts';
export { openApiDocument } from './service/openapi.ts';
export type { ServicePage } from './service/service.ts';
