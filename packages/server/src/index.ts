export { type App, type AppOptions, createApp } from './app.ts';
export { serveAssistant } from './assistant.ts';
export type { FetchHandler } from './edge/fetch.ts';
export type { Listener, ServerOptions } from './edge/listener.ts';
export { statusOf } from './errors.ts';
export type { Answer, AppRequest } from './http.ts';
export type { RequestEntry } from './request/request-entry.ts';
export type { Identified, Identify } from './resources/identify.ts';
export type { AssistantStreams } from './routes/mcp/stdio.ts';
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
export { openLog } from './service/log.ts';
export type { Log } from './service/log-facts.ts';
export type { MetricsPeers, ProcessMetrics } from './service/metrics.ts';
export type { OpenApiDocument } from './service/openapi/document.ts';
export { openApiDocument } from './service/openapi.ts';
export type { ServicePage } from './service/service.ts';
