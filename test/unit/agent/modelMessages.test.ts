import assert from 'node:assert/strict';
import { modelMessages, SYSTEM_NOTE } from '../../../src/agent/context/modelMessages.ts';
import type { UIMessage, UIMessagePart } from '../../../src/engine/uiMessage.ts';

const message = (role: UIMessage['role'], ...parts: UIMessagePart[]): UIMessage => ({ id: 'm', role, parts });
const text = (value: string): UIMessagePart => ({ type: 'text', text: value });

describe('what the model sees of a path', () => {
  it('is who said what, in order', () => {
    assert.deepEqual(
      modelMessages([
        message('system', text('s')),
        message('user', text('q')),
        message('assistant', text('a')),
      ]),
      [
        // It came with a file that someone else wrote.
        { role: 'user', content: [text(SYSTEM_NOTE), text('s')] },
        { role: 'user', content: [{ type: 'text', text: 'q' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
      ],
    );
  });

  it('has no messages without text and no reasoning', () => {
    const path = [
      message('assistant'),
      message('assistant', text('')),
      message('assistant', { type: 'reasoning', text: 'hm' }),
      message('user', text('')),
      message('system'),
    ];
    assert.deepEqual(modelMessages(path), []);
  });

  it('has files that are part of the message, and none that would have to be fetched', () => {
    const file = (url: string): UIMessagePart => ({
      type: 'file',
      mediaType: 'image/png',
      url,
      filename: 'a.png',
    });
    const [seen] = modelMessages([
      message('user', text('look'), file('data:image/png;base64,AA=='), file('https://a.test/b.png')),
    ]);
    assert.ok(seen?.role === 'user' && typeof seen.content !== 'string');
    assert.deepEqual(
      seen.content.map((part) => (part.type === 'file' ? part.filename : part.type)),
      ['text', 'a.png'],
    );
    assert.deepEqual(modelMessages([message('user', file('http://169.254.169.254/latest'))]), []);
  });
});
