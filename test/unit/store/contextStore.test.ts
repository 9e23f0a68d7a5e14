import { stores } from '../../fixtures/stores.ts';
import { specifyStore } from './contract.ts';
import { specifyChats } from './contract/chats.ts';

for (const [place, open] of Object.entries(stores)) {
  specifyStore(place, open);
  specifyChats(place, open);
}
