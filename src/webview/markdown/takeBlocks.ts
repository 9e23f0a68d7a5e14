import type { Block } from './blocks.ts';

/**
 * The first blocks of an answer, at most `limit` of them including those in lists and quotations.
 * @returns the same array if all of it fits
 */
export function takeBlocks(blocks: readonly Block[], limit: number): readonly Block[] {
  return isWithin(blocks, { left: limit }) ? blocks : take(blocks, { left: limit });
}

interface Room {
  left: number;
}

function isWithin(blocks: readonly Block[], room: Room): boolean {
  for (const block of blocks) {
    room.left -= 1;
    if (room.left < 0) return false;
    if (block.kind === 'quote' && !isWithin(block.blocks, room)) return false;
    if (block.kind === 'list' && !block.items.every(({ blocks: held }) => isWithin(held, room))) return false;
  }
  return true;
}

function take(blocks: readonly Block[], room: Room): Block[] {
  const taken: Block[] = [];
  for (const block of blocks) {
    if (room.left <= 0) break;
    room.left -= 1;
    if (block.kind === 'quote') taken.push({ ...block, blocks: take(block.blocks, room) });
    else if (block.kind === 'list') {
      const items = [];
      for (const item of block.items) {
        if (room.left <= 0) break;
        items.push({ ...item, blocks: take(item.blocks, room) });
      }
      taken.push({ ...block, items });
    } else taken.push(block);
  }
  return taken;
}
