// Node's assertions, for the browser.
import assert from 'assert';

export default assert.strict;
