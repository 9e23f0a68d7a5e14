import assert from 'node:assert/strict';
import { askToSignIn, sessionToken, type GetSession } from '../../../src/extension/models/editorSession.ts';
import { azure } from '../../../src/models/providers/hosted/azure.ts';

const session = azure.session ?? assert.fail();
const failing =
  (message: string): GetSession =>
  () =>
    Promise.reject(new Error(message));

describe('signing in with an account of VS Code', () => {
  it('takes the token of the session there is, and asks nobody for one', async () => {
    const asked: unknown[] = [];
    const getSession: GetSession = (...args) => {
      asked.push(args);
      return Promise.resolve({ accessToken: 'token-1' });
    };
    assert.equal(await sessionToken(session, getSession), 'token-1');
    assert.deepEqual(asked, [
      ['microsoft', ['https://cognitiveservices.azure.com/.default'], { silent: true }],
    ]);
    assert.equal(await sessionToken(session, () => Promise.resolve(undefined)), undefined);
  });

  it('asks the user where it is wanted, who may cancel', async () => {
    const options: unknown[] = [];
    const getSession: GetSession = (_provider, _scopes, each) => {
      options.push(each);
      return Promise.resolve({ accessToken: 'token-1' });
    };
    assert.equal(await askToSignIn(session, getSession), true);
    assert.deepEqual(options, [{ createIfNone: true }]);
    for (const message of ['Cancelled', 'Canceled', 'User did not consent to login.']) {
      assert.equal(await askToSignIn(session, failing(message)), false, message);
    }
  });

  it('says why it failed', async () => {
    const problem = failing('Timed out waiting for authentication provider');
    const error = { code: 'sign-in', message: /^Can’t sign in: Timed out/u };
    await assert.rejects(sessionToken(session, problem), error);
    await assert.rejects(askToSignIn(session, problem), error);
  });
});
