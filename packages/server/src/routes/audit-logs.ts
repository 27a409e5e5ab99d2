import { getAuditLog, listAuditLogs } from '@commerce/core';
import { item, list } from './answers.ts';
import { type Route, route } from './router.ts';

export const auditLogRoutes: readonly Route[] = [
  route('GET', '/audit-logs', 'auditLog.read', {
    name: 'listAuditLogs',
    summary: 'List who changed what, newest first',
    mayLag: true,
    query: 'AuditLogQuery',
    answer: list('AuditLog'),
    run: listAuditLogs,
  }),
  route('GET', '/audit-logs/{id}', 'auditLog.read', {
    name: 'getAuditLog',
    summary: 'Get one entry of the audit log',
    mayLag: true,
    answer: item('AuditLog'),
    run: getAuditLog,
  }),
];
