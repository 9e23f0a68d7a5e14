import assert from 'node:assert/strict';
import { pagePolicy } from '../../../src/extension/pages/pageDocument.ts';

describe('the policy of pages', () => {
  it('allows a script by its nonce, own styles and those with the nonce, own fonts, pictures that come along, and nothing else', () => {
    const directives = Object.fromEntries(
      pagePolicy('n1', 'https://own.example')
        .split('; ')
        .map((each): [string, string] => {
          const [name = '', ...sources] = each.split(' ');
          return [name, sources.join(' ')];
        }),
    );
    assert.deepEqual(directives, {
      'default-src': "'none'",
      'script-src': "'nonce-n1'",
      'style-src': "https://own.example 'nonce-n1'",
      'font-src': 'https://own.example',
      'img-src': 'data:',
      'base-uri': "'none'",
      'form-action': "'none'",
    });
  });
});
