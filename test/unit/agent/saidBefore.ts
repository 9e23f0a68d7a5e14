import assert from 'node:assert/strict';
import type { MessageData } from '../../../src/engine/graph.ts';
import { keptForms, strictServers, type NewStrictServer } from '../../fixtures/strict/strictServers.ts';
import { reasoning, text, type StrictServer } from '../../fixtures/strict/strictServer.ts';
import { Scene, type SceneOptions } from '../../worlds/scene.ts';
import { echo } from './scenarioFlow.ts';

/** A question to a server, with its answer. */
interface Turn {
  /** Of the server. */
  readonly name: string;
  readonly messages: readonly MessageData[];
}

/**
 * What servers said before another one goes on. It is played once: who goes on makes no difference to it, and each of
 * them playing all of it again would take most of the time of the table.
 */
export class SaidBefore {
  private readonly answered = new Played(strictServers, {}, async (scene, server, question) => {
    server.replies.push([reasoning(`I am ${server.name}.`), echo('a'), echo('b')], [text('Done.')]);
    const before = await scene.world.path();
    await (
      await scene.ask(question, { server })
    ).done;
    return scene.storedAfter(before.at(-1)?.id);
  });
  private readonly halfAnswered = new Played(keptForms, { maxSteps: 2 }, async (scene, server, question) => {
    const { name: branch } = await scene.world.engine('main').btw();
    server.replies.push([reasoning('Hm.'), echo('a')], [reasoning('Hm.'), echo('b')]);
    const before = await scene.world.path();
    await (
      await scene.ask(question, { server, branch })
    ).done;
    return scene.storedAfter(before.at(-1)?.id, branch);
  });

  /** A turn of each server, of one conversation that goes through all of them. */
  turns(): Promise<readonly Turn[]> {
    return this.answered.turns();
  }

  /** A turn for each form in which answers are kept, ended by the limit of steps. */
  halves(): Promise<readonly Turn[]> {
    return this.halfAnswered.turns();
  }
}

class Played {
  private played: Promise<readonly Turn[]> | undefined;

  constructor(
    private readonly servers: readonly NewStrictServer[],
    private readonly options: SceneOptions,
    private readonly answer: (
      scene: Scene,
      server: StrictServer,
      question: string,
    ) => Promise<readonly MessageData[]>,
  ) {}

  turns(): Promise<readonly Turn[]> {
    return (this.played ??= this.play());
  }

  private async play(): Promise<readonly Turn[]> {
    await using scene = await Scene.open(this.servers[0] ?? assert.fail(), this.options);
    await scene.talk('Hello', [text('Hello.')]);
    const turns: Turn[] = [];
    for (const create of this.servers) {
      const server = await scene.join(create);
      const messages = await this.answer(scene, server, `You, ${server.name}?`);
      turns.push({ name: server.name, messages });
    }
    await scene.accepted();
    return turns;
  }
}
