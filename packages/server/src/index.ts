export { type App, type AppOptions, createApp } from './app.ts';
export { statusOf } from './errors.ts';
export type { Answer, AppRequest } from './http.ts';
export type { Listener, ServerOptions } from './listener.ts';
export { type Log, openLog } from './log.ts';
export type { OpenApiDocument } from './openapi/document.ts';
export { openApiDocument } from './openapi.ts';
export type { RequestEntry } from './request-entry.ts';
export { type CommerceServer, createListener, createServer, type OwnServerOptions } from './server.ts';
