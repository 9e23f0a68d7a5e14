/** How models are asked: without the limit of time that Node's own `fetch` has. Loaded with the first request. */
export const modelFetch: typeof globalThis.fetch = async (input, init) => {
  const { patientFetch } = await import('../../platform/node/patientFetch.ts');
  return patientFetch(input, init);
};
