/**
 * Whether `work` ended before a timer of `seconds`. Both use the event loop: if an overloaded machine blocks it, both are late,
 * and the earlier one still comes first.
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
