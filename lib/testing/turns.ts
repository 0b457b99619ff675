/** Counts the turns of the event loop until `end`, which are few only if something blocks it. */
export function countTurns(): { end(): number } {
  let turns = 0
  let counting = true
  const next = (): void => {
    turns += 1
    if (counting) setImmediate(next)
  }
  setImmediate(next)
  return {
    end() {
      counting = false
      return turns
    },
  }
}
