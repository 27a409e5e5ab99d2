// Runs reads of a SQLite file beside the thread that serves: a program of its own, started by sqlite-scans.ts.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const connection = new Database(workerData.file, { timeout: 5000, fileMustExist: true });
connection.pragma('query_only = 1');
connection.pragma('cache_size = -16000');
connection.pragma('temp_store = MEMORY');

const maxStatements = 100;
const statements = new Map();

function statementOf(text) {
  let statement = statements.get(text);
  if (!statement) {
    if (statements.size >= maxStatements) statements.clear();
    statement = connection.prepare(text);
    statements.set(text, statement);
  }
  return statement;
}

function answer({ kind, text, parameters }) {
  if (kind === 'query') return statementOf(text).all(parameters);
  // One snapshot for all reads of a scan.
  if (kind === 'begin') connection.exec('begin');
  else if (connection.inTransaction) connection.exec('rollback');
  return [];
}

parentPort.on('message', (asked) => {
  try {
    parentPort.postMessage({ rows: answer(asked) });
  } catch (error) {
    parentPort.postMessage({ error: { message: error.message, code: error.code } });
  }
});
