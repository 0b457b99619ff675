/**
 * What is loaded by the first who needs it, and by no start. Kept, because an `import()` of what is there already still takes
 * some 20 µs; a failure is not, so the next one tries again.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
