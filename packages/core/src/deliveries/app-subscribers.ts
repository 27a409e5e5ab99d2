import type { Engine } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import type { EventHandler } from '../event-types.ts';
import { type EventType, eventTypes, expandEvents } from '../events/events.ts';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { writing } from '../storage/run.ts';
import { appQueue } from './queue.ts';

/** Names of subscribers. */
export const namePattern = /^[\w.:-]{1,100}$/;

/** Handlers of this process by name. The database holds the events of each name, so every process queues them. */
class AppSubscribers {
  readonly #handlers = new Map<string, EventHandler>();

  names(): string[] {
    return [...this.#handlers.keys()];
  }

  handlerOf(name: string): EventHandler | undefined {
    return this.#handlers.get(name);
  }

  /**
   * Registers a handler. From the first registration on, the name has a queue in every store. It also collects events while no process has
   * a handler for it, such as during a restart.
   * @returns unregisters the handler in this process; its queue stays
   * @throws CommerceError `validation` for an unknown event or a malformed name; `conflict` if this process already has a handler of that
   * name
   */
  async add(engine: Engine, entries: readonly string[], name: string, handler: EventHandler): Promise<() => void> {
    const events = entries.length > 0 ? expandEvents(entries) : undefined;
    if (!events)
      throw invalid('events', `must be event names or <resource>.*; the events are ${eventTypes.join(', ')}`, {
        code: 'NOT_OFFERED',
        limits: { values: eventTypes },
      });
    if (!namePattern.test(name)) {
      throw invalid('name', `must be 1 to 100 letters, digits and ._:-, not ${quote(name)}`);
    }
    if (this.#handlers.has(name)) {
      throw new CommerceError('conflict', `a handler named ${quote(name)} is already registered; use another name`);
    }
    this.#handlers.set(name, handler);
    try {
      await subscribe(engine, name, events);
    } catch (error) {
      this.#handlers.delete(name);
      throw error;
    }
    return () => {
      if (this.#handlers.get(name) === handler) this.#handlers.delete(name);
    };
  }

  /** Removes a name for good, in every process: no more events are queued for it, and waiting ones are deleted. */
  async remove(engine: Engine, name: string): Promise<void> {
    this.#handlers.delete(name);
    await writing(engine.storage, async (db) => {
      await db.deleteFrom('app_subscribers').where('name', '=', name).execute();
      const stores = await db.selectFrom('stores').select('id').execute();
      for (const { id } of stores) {
        await db
          .deleteFrom('deliveries')
          .where('store_id', '=', id)
          .where('subscriber_id', '=', appQueue + name)
          .execute();
      }
    });
  }
}

async function subscribe(engine: Engine, name: string, events: readonly EventType[]): Promise<void> {
  await writing(engine.storage, async (db) => {
    await db.deleteFrom('app_subscribers').where('name', '=', name).where('event', 'not in', events).execute();
    await db
      .insertInto('app_subscribers')
      .values(events.map((event) => ({ name, event })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Handlers that the application registered in this process. */
export const appSubscribers = perEngine(() => new AppSubscribers());
