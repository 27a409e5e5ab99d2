import { createServer } from '@commerce/server';
import type { Command } from 'commander';
import { noteAddress } from './address-file.ts';
import { announce, describeListenError } from './announce.ts';
import type { ServeOptions } from './options.ts';
import { openService } from './service.ts';

/** Serves in this one process. */
export async function serveAlone(options: ServeOptions, command: Command): Promise<void> {
  const { host, port } = options;
  let { publicUrl } = options;
  // The address is known once the server listens; nothing reads it before.
  const service = await openService(options, command, () => String(publicUrl));
  const server = createServer(service.commerce, service.server);
  let forgetAddress = () => {};
  const stop = async () => {
    forgetAddress();
    await server.stop();
    await service.close();
  };
  try {
    const { url } = await server.listen({ host, port });
    publicUrl ??= url;
    // After the server listens: the key is shown only once, and a start that fails must not waste that.
    const first = await service.begin();
    // Before the announcement: a caller that waits for it can stop the server at once.
    stopOnSignal(stop);
    forgetAddress = noteAddress(options.db, url);
    announce(options, url, service.commerce.engine.storage.location, first);
  } catch (error) {
    await stop();
    throw describeListenError(error, host, port);
  }
}

/** The first signal lets running requests finish; a second one does not wait. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error) => {
        console.error('error: the server did not stop cleanly:', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
