// A page with a window's worker in it: what is said to the page goes to the worker, and the other way.
const worker = new Worker('/windowScript.js', { type: 'module' });
worker.onmessage = ({ data }) => parent.postMessage(data);
addEventListener('message', ({ data }) => worker.postMessage(data));
