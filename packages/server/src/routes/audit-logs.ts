import { getAuditLog, listAuditLogs } from '@commerce/core';
import { type Route, route } from '../router.ts';
import { item, list } from './answers.ts';

export const auditLogRoutes: readonly Route[] = [
  route('GET', '/audit-logs', 'auditLog.read', (ctx, { query }) => listAuditLogs(ctx, query).then(list)),
  route('GET', '/audit-logs/{id}', 'auditLog.read', (ctx, { params }) => getAuditLog(ctx, params.id).then(item)),
];
