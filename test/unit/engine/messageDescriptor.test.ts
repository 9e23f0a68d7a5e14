import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BranchNotFoundError, InvalidNameError, OffshootError } from '../../../src/engine/errors.ts';
import {
  formatInEnglish,
  defineMessage,
  messageDescriptorSchema,
  verbatim,
  formatMessage,
} from '../../../src/engine/messageDescriptor.ts';

describe('message descriptors', () => {
  it('are formatted in another language, what stands in their gaps included', () => {
    const german: Record<string, string> = {
      'This {0} cannot be used: {1}.': '{1}: dieser {0} geht nicht.',
      'branch name': 'Zweigname',
      'it is longer than {0} characters': 'länger als {0} Zeichen',
    };
    const { descriptor, message } = new InvalidNameError(
      defineMessage('branch name'),
      defineMessage('it is longer than {0} characters', 3),
    );
    assert.equal(message, 'This branch name cannot be used: it is longer than 3 characters.');
    const translated = formatMessage(descriptor, (template, args) =>
      formatInEnglish(defineMessage(german[template] ?? template, ...args)),
    );
    assert.equal(translated, 'länger als 3 Zeichen: dieser Zweigname geht nicht.');
  });

  it('say what was said word for word, whatever it looks like, also after it was stored', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(formatInEnglish(verbatim(text)), text);
        assert.equal(new BranchNotFoundError(text).message, `Branch "${text}" not found`);
        assert.equal(new OffshootError('code', text).message, text);
        const descriptor = defineMessage('{0} and {1}', verbatim(text), 2);
        const read = messageDescriptorSchema.parse(JSON.parse(JSON.stringify(descriptor)));
        assert.equal(formatInEnglish(read), `${text} and 2`);
      }),
    );
  });

  it('leave a gap as it is that nothing fills', () => {
    assert.equal(formatInEnglish(defineMessage('{0} {1} {x}', 'a')), 'a {1} {x}');
  });
});
