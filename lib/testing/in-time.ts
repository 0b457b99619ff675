/**
 * Whether it was over before a timer of so many seconds. Both go by the event loop: where that is held up, on a machine
 * with too much to do, they are alike, and the earlier one is still first.
 */
export async function isOverWithin(seconds: number, work: () => Promise<unknown>): Promise<boolean> {
  let late = false
  const timer = setTimeout(() => {
    late = true
  }, seconds * 1000)
  await work()
  clearTimeout(timer)
  return !late
}
