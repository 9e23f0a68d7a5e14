/** Gives what `load` brings, which is loaded once. Where that failed, as without a connection, the next call tries anew. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return async () => {
    const own = (loading ??= load());
    try {
      return await own;
    } catch (error) {
      if (loading === own) loading = undefined;
      throw error;
    }
  };
}
