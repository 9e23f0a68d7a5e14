/** Keeps the result of `load`. If it failed, for instance without a connection, the next call tries again. */
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
