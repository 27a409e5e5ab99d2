export { type App, type AppOptions, createApp } from './app.ts';
export { statusOf } from './errors.ts';
export type { Answer, AppRequest } from './http.ts';
export { type CommerceServer, createListener, createServer, type Listener, type ServerOptions } from './server.ts';
