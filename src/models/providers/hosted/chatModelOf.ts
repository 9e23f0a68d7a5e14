import type { ChatModel, OpenedModel } from '../../chatModel.ts';
import type { HostedModel, HostedProvider } from '../../providerFacts.ts';

/** @param behind the model behind a name of the user's; for others, the name */
export function chatModelOf(
  { id, label: detail, listedAs }: Pick<HostedProvider, 'id' | 'label' | 'listedAs'>,
  { name, label = name, contextWindow, capabilities, price }: HostedModel,
  behind: string,
  open: () => Promise<OpenedModel>,
): ChatModel {
  return {
    id: `${id}:${name}`,
    label,
    isDemo: false,
    detail,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(price === undefined ? {} : { price }),
    ...(listedAs === undefined ? {} : { listedAs: listedAs(behind) }),
    open,
  };
}
