import { stores } from '../../fixtures/stores.ts';
import { specifyStore } from './contract/everyStore.ts';

for (const [place, open] of Object.entries(stores)) specifyStore(place, open);
