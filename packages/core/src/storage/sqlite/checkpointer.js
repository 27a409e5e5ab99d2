// Copies a SQLite log into its file beside the thread that serves: a program of its own, started by sqlite-checkpoints.ts.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const connection = new Database(workerData.file, { timeout: 0, fileMustExist: true });
connection.pragma('synchronous = FULL');

parentPort.on('message', () => {
  connection.pragma('wal_checkpoint(passive)');
  parentPort.postMessage('copied');
});
