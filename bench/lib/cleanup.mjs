// Clean-up functions, run in reverse order at the end, on a failure, and on Ctrl-C.

export function createCleanup() {
  const tasks = []
  let running
  let interrupted = false
  const undo = async () => {
    for (let task = tasks.pop(); task; task = tasks.pop()) await task().catch((error) => console.error(error.message))
  }
  const cleanup = {
    /** After Ctrl-C every active operation fails, and these failures are not reported. */
    isInterrupted: () => interrupted,
    add: (task) => tasks.push(task),
    run: () => {
      running ??= undo()
      return running
    },
  }
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.once(signal, () => {
      interrupted = true
      cleanup.run().finally(() => process.exit(code))
    })
  }
  return cleanup
}
