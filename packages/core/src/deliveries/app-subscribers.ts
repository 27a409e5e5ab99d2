import type { Engine } from '../context.ts';
import { CommerceError, invalid, quote } from '../errors.ts';
import { type EventType, eventTypes, expandEvents } from '../events/events.ts';
import { perEngine } from '../per-engine.ts';
import { writing } from '../storage/run.ts';
import { appQueue } from './queue.ts';
import type { EventHandler } from './subscriber.ts';

const namePattern = /^[\w.:-]{1,100}$/;

/** The handlers of this process. Which events their names are for stands in the database, where every process sees it. */
class AppSubscribers {
  readonly #handlers = new Map<string, EventHandler>();

  names(): string[] {
    return [...this.#handlers.keys()];
  }

  handlerOf(name: string): EventHandler | undefined {
    return this.#handlers.get(name);
  }

  /**
   * From its first registration on, the name has a queue of its own in every store: also for what happens while no process
   * has a handler for it, such as during a restart.
   * @throws CommerceError `validation` for an unknown event or a name of another form; `conflict` when this process has a
   * handler of that name already
   */
  async add(engine: Engine, entries: readonly string[], name: string, handler: EventHandler): Promise<() => void> {
    const events = entries.length > 0 ? expandEvents(entries) : undefined;
    if (!events) throw invalid('events', `must be event names or <resource>.*; there are ${eventTypes.join(', ')}`);
    if (!namePattern.test(name)) {
      throw invalid('name', `must be 1 to 100 letters, digits and ._:-, not ${quote(name)}`);
    }
    if (this.#handlers.has(name)) {
      throw new CommerceError('conflict', `there is a handler called ${quote(name)}: give each a name of its own`);
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

  /** Ends a name for good, in every process: its events are no longer kept, and what waits for it is dropped. */
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

/** Handlers that the application gave this process. */
export const appSubscribers = perEngine(() => new AppSubscribers());
